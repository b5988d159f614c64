//! What instructions take from the constant pool, checked and decoded once for all instructions that use it.

use super::types::{CLASS, METHOD_HANDLE, METHOD_TYPE, Name, STRING, Type, Types};
use super::{Hierarchy, Reason};
use crate::classfile::{ClassFile, Constant, Descriptor};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

/// A class file with the types that its constants stand for.
pub(super) struct Constants<'a> {
    pub class: &'a ClassFile,
    pub types: Types<'a>,
    pub this: Name,
    resolved: Vec<ResolvedConstant<'a>>,
    bootstraps: Option<usize>,
    own_fields: Option<HashSet<(&'a str, &'a str)>>,
    near: HashMap<Name, bool>,
}

#[derive(Clone)]
enum ResolvedConstant<'a> {
    Nothing,
    Class(Name),
    Loadable(Type),
    Field(Rc<Field<'a>>),
    Method(Rc<Method<'a>>),
    Signature(Rc<Signature>),
}

/// A field that an instruction names.
pub(super) struct Field<'a> {
    pub class: Name,
    pub name: &'a str,
    pub descriptor: &'a str,
    pub kind: Type,
}

/// A method that an instruction names. Dynamic call sites are treated as methods of no interface.
pub(super) struct Method<'a> {
    pub class: Name,
    pub name: &'a str,
    pub of_interface: bool,
    pub signature: Rc<Signature>,
}

/// The types of a method's parameters and of its result.
pub(super) struct Signature {
    pub parameters: Vec<Type>,
    pub result: Option<Type>,
    /// The slots of the parameters.
    pub slots: usize,
}

impl<'a> Constants<'a> {
    pub fn new(class: &'a ClassFile, hierarchy: &'a mut dyn Hierarchy) -> Result<Constants<'a>, Reason> {
        let mut types = Types::new(hierarchy);
        let this = types.class_constant(class.name())?;
        if types.is_array(this) {
            return Err("the class is named as arrays are".to_string());
        }
        let resolved = vec![ResolvedConstant::Nothing; class.pool.len()];
        let (own_fields, near) = (None, HashMap::new());
        Ok(Constants { class, types, this, resolved, bootstraps: None, own_fields, near })
    }

    /// A class or array.
    pub fn class(&mut self, index: u16) -> Result<Name, Reason> {
        if let Some(&ResolvedConstant::Class(name)) = self.resolved.get(usize::from(index)) {
            return Ok(name);
        }
        let text = self.class.pool.class_name(index).map_err(text)?;
        let name = self.types.class_constant(text)?;
        self.resolved[usize::from(index)] = ResolvedConstant::Class(name);
        Ok(name)
    }

    /// A class that is no array.
    pub fn plain_class(&mut self, index: u16) -> Result<Name, Reason> {
        let name = self.class(index)?;
        match self.types.is_array(name) {
            true => Err(format!("constant {index} is an array where a class is wanted")),
            false => Ok(name),
        }
    }

    pub fn field(&mut self, index: u16) -> Result<Rc<Field<'a>>, Reason> {
        if let Some(ResolvedConstant::Field(field)) = self.resolved.get(usize::from(index)) {
            return Ok(field.clone());
        }
        let Constant::Field { class, .. } = self.class.pool.get(index).map_err(text)? else {
            return Err(format!("constant {index} is not a field"));
        };
        let (_, name, descriptor) = self.class.pool.member(index).map_err(text)?;
        let class = self.plain_class(class)?;
        let kind = self.types.of_descriptor(descriptor)?;
        let field = Rc::new(Field { class, name, descriptor, kind });
        self.resolved[usize::from(index)] = ResolvedConstant::Field(field.clone());
        Ok(field)
    }

    pub fn method(&mut self, index: u16) -> Result<Rc<Method<'a>>, Reason> {
        if let Some(ResolvedConstant::Method(method)) = self.resolved.get(usize::from(index)) {
            return Ok(method.clone());
        }
        let Constant::Method { class, of_interface, name_and_type } =
            self.class.pool.get(index).map_err(text)?
        else {
            return Err(format!("constant {index} is not a method"));
        };
        let name = self.class.pool.name_and_type(name_and_type).map_err(text)?.0;
        let class = self.class(class)?;
        let signature = self.signature_of(name_and_type)?;
        let method = Rc::new(Method { class, name, of_interface, signature });
        self.resolved[usize::from(index)] = ResolvedConstant::Method(method.clone());
        Ok(method)
    }

    /// The call site of an `invokedynamic`.
    pub fn call_site(&mut self, index: u16) -> Result<Rc<Method<'a>>, Reason> {
        // A method of the same index would be another kind of constant, so that the two cannot be mistaken.
        let Constant::InvokeDynamic { name_and_type, .. } = self.class.pool.get(index).map_err(text)? else {
            return Err(format!("constant {index} is not a dynamic call site"));
        };
        if let Some(ResolvedConstant::Method(method)) = self.resolved.get(usize::from(index)) {
            return Ok(method.clone());
        }
        let (bootstrap, name, _) = self.class.pool.dynamic(index).map_err(text)?;
        self.bootstrap(bootstrap)?;
        let signature = self.signature_of(name_and_type)?;
        let method = Rc::new(Method { class: self.this, name, of_interface: false, signature });
        self.resolved[usize::from(index)] = ResolvedConstant::Method(method.clone());
        Ok(method)
    }

    /// The type of what `ldc` and its like load.
    pub fn loadable(&mut self, index: u16) -> Result<Type, Reason> {
        if let Some(&ResolvedConstant::Loadable(kind)) = self.resolved.get(usize::from(index)) {
            return Ok(kind);
        }
        let pool = &self.class.pool;
        let kind = match pool.get(index).map_err(text)? {
            Constant::Integer(_) => Type::Int,
            Constant::Float(_) => Type::Float,
            Constant::Long(_) => Type::Long,
            Constant::Double(_) => Type::Double,
            Constant::String(value) => {
                pool.raw(value).map_err(text)?;
                Type::Object(STRING)
            }
            // Not remembered as loadable, so that it stays known as a class.
            Constant::Class(_) => {
                self.class(index)?;
                return Ok(Type::Object(CLASS));
            }
            Constant::MethodHandle { kind, reference } => {
                self.method_handle(kind, reference)?;
                Type::Object(METHOD_HANDLE)
            }
            Constant::MethodType(descriptor) => {
                self.signature(descriptor)?;
                Type::Object(METHOD_TYPE)
            }
            Constant::Dynamic { .. } => {
                let (bootstrap, _, descriptor) = pool.dynamic(index).map_err(text)?;
                self.bootstrap(bootstrap)?;
                self.types.of_descriptor(descriptor)?
            }
            _ => return Err(format!("constant {index} cannot be loaded")),
        };
        self.resolved[usize::from(index)] = ResolvedConstant::Loadable(kind);
        Ok(kind)
    }

    fn method_handle(&mut self, kind: u8, reference: u16) -> Result<(), Reason> {
        match kind {
            1..=4 => self.field(reference).map(|_| ()),
            5..=9 => {
                let method = self.method(reference)?;
                let constructor = method.name == "<init>";
                if constructor != (kind == 8) || (!constructor && method.name.starts_with('<')) {
                    return Err(format!("a method handle of kind {kind} may not be of {}", method.name));
                }
                Ok(())
            }
            _ => Err(format!("there is no kind {kind} of method handles")),
        }
    }

    fn bootstrap(&mut self, index: u16) -> Result<(), Reason> {
        let count = match self.bootstraps {
            Some(count) => count,
            None => {
                let count = self.class.bootstraps().map_err(text)?.len();
                *self.bootstraps.insert(count)
            }
        };
        match usize::from(index) < count {
            true => Ok(()),
            false => Err(format!("there is no bootstrap method {index}")),
        }
    }

    fn signature_of(&mut self, name_and_type: u16) -> Result<Rc<Signature>, Reason> {
        match self.class.pool.get(name_and_type).map_err(text)? {
            Constant::NameAndType { descriptor, .. } => self.signature(descriptor),
            _ => Err(format!("constant {name_and_type} is not a name with a type")),
        }
    }

    /// The types that a method's descriptor names.
    pub fn signature(&mut self, index: u16) -> Result<Rc<Signature>, Reason> {
        if let Some(ResolvedConstant::Signature(signature)) = self.resolved.get(usize::from(index)) {
            return Ok(signature.clone());
        }
        let parsed = Descriptor::parse(self.class.pool.utf8(index).map_err(text)?).map_err(text)?;
        let parameters = parsed
            .parameters
            .iter()
            .map(|parameter| self.types.of_descriptor(parameter))
            .collect::<Result<Vec<Type>, Reason>>()?;
        let result = match parsed.result.as_str() {
            "V" => None,
            result => Some(self.types.of_descriptor(result)?),
        };
        let signature = Rc::new(Signature { parameters, result, slots: parsed.slots.into() });
        self.resolved[usize::from(index)] = ResolvedConstant::Signature(signature.clone());
        Ok(signature)
    }

    /// Whether this class itself has the field that an instruction names.
    pub fn declares(&mut self, field: &Field<'_>) -> bool {
        let class = self.class;
        let own = self.own_fields.get_or_insert_with(|| {
            let text = |index| class.pool.utf8(index).unwrap_or_default();
            class.fields.iter().map(|own| (text(own.name), text(own.descriptor))).collect()
        });
        field.class == self.this && own.contains(&(field.name, field.descriptor))
    }

    /// Whether it is this class, a superclass or a direct superinterface: one whose methods may be called as those of `super`.
    pub fn is_near(&mut self, class: Name) -> Result<bool, Reason> {
        if class == self.this {
            return Ok(true);
        }
        if let Some(&resolved) = self.near.get(&class) {
            return Ok(resolved);
        }
        let mut near = self.class.super_class != 0 && self.class(self.class.super_class)? == class;
        for position in 0..self.class.interfaces.len() {
            near = near || self.class(self.class.interfaces[position])? == class;
        }
        if !near && !self.types.is_array(class) {
            near = self.types.is_subclass(self.this, class)?;
        }
        self.near.insert(class, near);
        Ok(near)
    }
}

fn text(error: impl std::fmt::Display) -> Reason {
    error.to_string()
}
