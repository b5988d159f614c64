//! Structs: each field in its turn, and as the state of a model each field as a kind of component.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, Field, Fields, Member, Result};

/// The items of the implementation for a struct with these fields.
pub fn methods(fields: &Fields) -> Result<TokenStream> {
    if fields.len() > 255 {
        return Err(Error::new_spanned(fields, "the state of a model has at most 255 fields"));
    }
    let members: Vec<Member> = fields.members().collect();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let kinds: Vec<u8> = (0..).take(members.len()).collect();
    let names = members.iter().map(|member| member.to_token_stream().to_string());
    let local = match local_field(fields)? {
        Some(kind) => quote!(const LOCAL: ::core::option::Option<u8> = ::core::option::Option::Some(#kind);),
        None => TokenStream::new(),
    };
    Ok(quote! {
        const WIDTH: ::core::option::Option<usize> = match Self::BITS {
            ::core::option::Option::Some(_) => ::core::option::Option::Some(1),
            ::core::option::Option::None => {
                ::sojourner_model::total_width(&[#(<#types as ::sojourner_model::State>::WIDTH),*])
            }
        };
        const BOUND: ::core::option::Option<usize> = match Self::BITS {
            ::core::option::Option::Some(_) => ::core::option::Option::Some(1),
            ::core::option::Option::None => {
                ::sojourner_model::total_width(&[#(<#types as ::sojourner_model::State>::BOUND),*])
            }
        };
        const BITS: ::core::option::Option<u32> =
            ::sojourner_model::Bits::total(&[#(<#types as ::sojourner_model::State>::BITS),*]);
        const KINDS: &'static [&'static str] = &[#(#names),*];
        #local

        #[inline]
        #[allow(unused_mut)]
        fn bits(&self) -> u8 {
            let mut bits = ::sojourner_model::Bits::default();
            #(bits.put(&self.#members);)*
            bits.byte()
        }

        #[inline]
        #[allow(unused_mut)]
        fn from_bits(bits: u8) -> ::core::option::Option<Self> {
            let mut bits = ::sojourner_model::Bits::of(bits);
            let value = Self { #(#members: bits.take::<#types>()?,)* };
            if bits.is_spent() { ::core::option::Option::Some(value) } else { ::core::option::Option::None }
        }

        #[inline]
        #[allow(unused_variables, unused_mut)]
        fn store(&self, out: &mut [u8]) -> usize {
            if const { Self::BITS.is_some() } {
                out[0] = ::sojourner_model::State::bits(self);
                return 1;
            }
            let mut at = 0;
            #(at += ::sojourner_model::State::store(&self.#members, &mut out[at..]);)*
            at
        }

        #[inline]
        #[allow(unused_variables, unused_mut, unused_assignments)]
        fn load(&mut self, mut from: &[u8]) -> bool {
            if const { Self::BITS.is_some() } {
                let value = <Self as ::sojourner_model::State>::from_bits(from[0]);
                return value.map(|value| *self = value).is_some();
            }
            let mut loaded = true;
            #(
                let (mine, rest) =
                    from.split_at(const { <#types as ::sojourner_model::State>::WIDTH }.expect("a fixed width"));
                loaded &= ::sojourner_model::State::load(&mut self.#members, mine);
                from = rest;
            )*
            loaded
        }

        #[inline]
        fn pack(&self, out: &mut ::sojourner_model::Packed) {
            match Self::BOUND {
                ::core::option::Option::Some(bound) => out.store(self, bound),
                ::core::option::Option::None => {
                    #(::sojourner_model::State::pack(&self.#members, out);)*
                }
            }
        }

        #[inline]
        #[allow(unused_variables)]
        fn unpack(&mut self, from: &mut &[u8]) -> ::core::result::Result<(), ::sojourner_model::Foreign> {
            if let ::core::option::Option::Some(width) = Self::WIDTH {
                return ::sojourner_model::load_from(self, width, from);
            }
            #(::sojourner_model::State::unpack(&mut self.#members, from)?;)*
            ::core::result::Result::Ok(())
        }

        #[allow(unused_variables)]
        fn read(from: &mut &[u8]) -> ::core::result::Result<Self, ::sojourner_model::Foreign> {
            if const { Self::BITS.is_some() } {
                let byte = <u8 as ::sojourner_model::State>::read(from)?;
                return <Self as ::sojourner_model::State>::from_bits(byte).ok_or(::sojourner_model::Foreign);
            }
            ::core::result::Result::Ok(Self {
                #(#members: <#types as ::sojourner_model::State>::read(from)?,)*
            })
        }

        #[allow(unused_variables)]
        fn encode(&self, out: &mut ::sojourner_model::Encoded) {
            #(::sojourner_model::State::split(&self.#members, #kinds, out);)*
        }

        #[allow(unused_variables)]
        fn decode(
            &mut self,
            from: &mut ::sojourner_model::Parts<'_, '_>,
        ) -> ::core::result::Result<(), ::sojourner_model::Foreign> {
            #(::sojourner_model::State::join(&mut self.#members, #kinds, from)?;)*
            ::core::result::Result::Ok(())
        }
    })
}

/// The number of the field that is marked `#[state(local)]`.
fn local_field(fields: &Fields) -> Result<Option<u8>> {
    let mut local = None;
    for (i, field) in fields.iter().enumerate() {
        if is_local(field)? && local.replace(i as u8).is_some() {
            return Err(Error::new_spanned(field, "only one field holds the local states of the processes"));
        }
    }
    Ok(local)
}

/// Whether the field is marked `#[state(local)]`. Anything else in the attribute is an error.
pub fn is_local(field: &Field) -> Result<bool> {
    let mut local = false;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("state")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("local") {
                return Err(meta.error("expected `local`"));
            }
            local = true;
            Ok(())
        })?;
    }
    Ok(local)
}
