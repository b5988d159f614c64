//! Enums: the number of the variant, then its fields.

use crate::fields::is_local;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{DataEnum, DeriveInput, Error, Fields, Member, Result, Variant};

/// The items of the implementation for an enum.
pub fn methods(input: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    if data.variants.is_empty() || data.variants.len() > 256 {
        return Err(Error::new_spanned(&input.ident, "an enum needs 1 to 256 variants to be a state"));
    }
    for field in data.variants.iter().flat_map(|variant| &variant.fields) {
        if is_local(field)? {
            return Err(Error::new_spanned(field, "`local` belongs on a field of the model's state"));
        }
    }
    let plain = data.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit));
    Ok(if plain { without_fields(data) } else { with_fields(data) })
}

/// Every value is the number of its variant, in as few bits as the last one takes.
fn without_fields(data: &DataEnum) -> TokenStream {
    let names: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let tags: Vec<u8> = tags(data).collect();
    let bits = (data.variants.len() - 1).checked_ilog2().unwrap_or(0) + 1;
    quote! {
        const WIDTH: ::core::option::Option<usize> = ::core::option::Option::Some(1);
        const BITS: ::core::option::Option<u32> = ::core::option::Option::Some(#bits);

        #[inline]
        fn bits(&self) -> u8 {
            match self { #(Self::#names => #tags,)* }
        }

        #[inline]
        fn from_bits(bits: u8) -> ::core::option::Option<Self> {
            match bits {
                #(#tags => ::core::option::Option::Some(Self::#names),)*
                #[allow(unreachable_patterns)]
                _ => ::core::option::Option::None,
            }
        }
    }
}

/// The width depends on the variant.
fn with_fields(data: &DataEnum) -> TokenStream {
    let tags: Vec<u8> = tags(data).collect();
    let bound: Vec<Vec<Ident>> = data.variants.iter().map(bindings).collect();
    let patterns: Vec<_> = data.variants.iter().map(pattern).collect();
    let fresh: Vec<_> = data.variants.iter().map(construction).collect();
    quote! {
        const WIDTH: ::core::option::Option<usize> = ::core::option::Option::None;

        #[inline]
        fn pack(&self, out: &mut ::sojourner_model::Packed) {
            match self {
                #(Self::#patterns => {
                    out.put(&[#tags]);
                    #(::sojourner_model::State::pack(#bound, out);)*
                })*
            }
        }

        #[inline]
        fn unpack(&mut self, from: &mut &[u8]) -> ::core::result::Result<(), ::sojourner_model::Foreign> {
            match (<u8 as ::sojourner_model::State>::read(from)?, &mut *self) {
                #((#tags, Self::#patterns) => {
                    #(::sojourner_model::State::unpack(#bound, from)?;)*
                })*
                #[allow(unreachable_patterns)]
                #((#tags, _) => *self = Self::#fresh,)*
                #[allow(unreachable_patterns)]
                _ => return ::core::result::Result::Err(::sojourner_model::Foreign),
            }
            ::core::result::Result::Ok(())
        }

        fn read(from: &mut &[u8]) -> ::core::result::Result<Self, ::sojourner_model::Foreign> {
            match <u8 as ::sojourner_model::State>::read(from)? {
                #(#tags => ::core::result::Result::Ok(Self::#fresh),)*
                #[allow(unreachable_patterns)]
                _ => ::core::result::Result::Err(::sojourner_model::Foreign),
            }
        }
    }
}

fn tags(data: &DataEnum) -> impl Iterator<Item = u8> {
    (0..=255).take(data.variants.len())
}

/// A name for each field of the variant.
fn bindings(variant: &Variant) -> Vec<Ident> {
    (0..variant.fields.len()).map(|i| format_ident!("field_{i}")).collect()
}

/// `Variant { x: field_0, y: field_1 }`, which fits tuples and units too.
fn pattern(variant: &Variant) -> TokenStream {
    let (name, bound) = (&variant.ident, bindings(variant));
    let members: Vec<Member> = variant.fields.members().collect();
    quote!(#name { #(#members: #bound),* })
}

/// The variant with every field read.
fn construction(variant: &Variant) -> TokenStream {
    let name = &variant.ident;
    let members: Vec<Member> = variant.fields.members().collect();
    let types = variant.fields.iter().map(|field| &field.ty);
    quote!(#name { #(#members: <#types as ::sojourner_model::State>::read(from)?),* })
}
