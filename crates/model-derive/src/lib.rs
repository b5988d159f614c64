//! `#[derive(State)]`: the code that packs a struct or an enum into bytes and back, field by field.
//!
//! The crate is internal: procedural macros must be in a crate of their own. The crate `sojourner-model` exports the macro with the
//! trait `State`, and its documentation has an example.
#![forbid(unsafe_code)]

mod fields;
mod variants;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Result, parse_macro_input, parse_quote};

/// Packs a struct or an enum into bytes. Its fields must be states.
///
/// A struct is one byte if its fields have at most eight bits together. An enum takes one byte that tells the variant,
/// followed by its fields. An enum without fields takes only the bits that tell its variants apart. On a field of a struct,
/// `#[state(local)]` says that its elements are the local states of the processes.
#[proc_macro_derive(State, attributes(state))]
pub fn derive_state(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    derive(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}

fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let methods = match &input.data {
        Data::Struct(data) => fields::methods(&data.fields)?,
        Data::Enum(data) => variants::methods(input, data)?,
        Data::Union(_) => return Err(Error::new_spanned(&input.ident, "a union cannot be a state")),
    };
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::sojourner_model::State));
    }
    let name = &input.ident;
    let (parameters, arguments, bounds) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::sojourner_model::State for #name #arguments #bounds {
            #methods
        }
    })
}
