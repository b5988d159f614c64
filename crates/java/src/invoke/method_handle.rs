//! Calls through method handles.

use super::Polymorphic;
use crate::class::ClassId;
use crate::machine::{Machine, Run, Trouble};
use crate::memory::{Ref, Registers};

/// A site that calls through method handles.
pub struct HandleSite;

impl Machine {
    pub(super) fn call_var_handle_by_detour(&mut self, site: u32) -> Run<Polymorphic> {
        let _ = site;
        Err(Trouble::unsupported("this call through a variable handle"))
    }

    pub(crate) fn method_handle_constant(&mut self, from: ClassId, kind: u8, reference: u16) -> Run<Ref> {
        let _ = (from, kind, reference);
        Err(Trouble::unsupported("method handles"))
    }

    pub(crate) fn call_polymorphic(&mut self, site: u32, arguments: Registers) -> Run<Polymorphic> {
        let class = self.method(self.sites[site as usize].method).class;
        if Some(class) == self.known.var_handle {
            return self.call_var_handle(site, arguments);
        }
        Err(Trouble::unsupported("method handles"))
    }
}
