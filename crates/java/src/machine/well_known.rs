//! Classes and fields of the JDK that the machine itself knows.

use crate::machine::class::ClassId;

/// What boot has found.
#[derive(Default)]
#[allow(missing_docs)]
pub struct WellKnown {
    pub object: ClassId,
    pub class: Option<ClassId>,
    pub cloneable: ClassId,
    pub serializable: ClassId,
    pub string: ClassId,
    pub thread: ClassId,
    pub throwable: ClassId,
    pub error: Option<ClassId>,
    pub method_handle: Option<ClassId>,
    pub var_handle: Option<ClassId>,
    /// By kind.
    pub primitives: [ClassId; 10],
    /// By kind of the elements.
    pub primitive_arrays: [ClassId; 10],
    pub objects: ClassId,
    /// Where a mirror has the number of its class; its status follows.
    pub mirror_id: u32,
    pub class_component: u32,
    pub class_loader: u32,
    pub string_value: u32,
    pub string_coder: u32,
    pub thread_handle: u32,
    pub thread_name: u32,
    pub thread_status: u32,
    pub thread_interrupted: u32,
    pub thread_group: Option<u32>,
    /// What a thread lets go of when it ends.
    pub thread_holdings: Vec<u32>,
    pub throwable_trace: (u32, u32),
    pub throwable_message: u32,
}
