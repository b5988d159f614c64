//! Forwarding for adaptors.

/// Forwards the methods of a trait of this crate to a field, for adaptors that change only some of them.
///
/// It goes into the `impl` block. Methods behind `except` are left to the adaptor; all others are forwarded, those with a
/// default too. So an adaptor cannot forget a method that is added later.
///
/// ```
/// use sojourner_program::{Finding, Program, Stateful, forward};
///
/// /// A program in which no state is wrong.
/// struct Silent<P> {
///     program: P,
/// }
///
/// impl<P: Program> Program for Silent<P> {
///     type Place = P::Place;
///
///     forward!(Program for program, except judge);
///
///     fn judge(&mut self, _stuck: bool) -> Option<Finding> {
///         None
///     }
/// }
///
/// impl<P: Stateful> Stateful for Silent<P> {
///     forward!(Stateful for program);
/// }
/// ```
#[macro_export]
macro_rules! forward {
    ($trait:ident for $field:tt) => {
        $crate::forward!($trait for $field, except);
    };
    (Load for $field:tt, except $($except:ident),*) => {
        $crate::forward_unless! { [$($except)*] open {
            #[inline]
            fn open(&self) -> Result<Self::P, $crate::Fault> {
                self.$field.open()
            }
        } }
        $crate::forward_unless! { [$($except)*] renew {
            #[inline]
            fn renew(&self, program: Self::P) -> Result<Self::P, $crate::Fault> {
                self.$field.renew(program)
            }
        } }
        $crate::forward_unless! { [$($except)*] open_to_follow {
            #[inline]
            fn open_to_follow(&self) -> Result<Self::P, $crate::Fault> {
                self.$field.open_to_follow()
            }
        } }
        $crate::forward_unless! { [$($except)*] learned {
            #[inline]
            fn learned(&self) -> Vec<String> {
                self.$field.learned()
            }
        } }
        $crate::forward_unless! { [$($except)*] learn {
            #[inline]
            fn learn(&self, learned: &[String]) {
                self.$field.learn(learned)
            }
        } }
        $crate::forward_unless! { [$($except)*] leaves_out {
            #[inline]
            fn leaves_out(&self) -> Option<&'static str> {
                self.$field.leaves_out()
            }
        } }
        $crate::forward_unless! { [$($except)*] set_cancel {
            #[inline]
            fn set_cancel(&self, cancel: &$crate::Cancel) {
                self.$field.set_cancel(cancel)
            }
        } }
        $crate::forward_unless! { [$($except)*] process_memory {
            #[inline]
            fn process_memory(&self) -> $crate::ProcessMemory {
                self.$field.process_memory()
            }
        } }
        $crate::forward_unless! { [$($except)*] threads {
            #[inline]
            fn threads(&self) -> &$crate::Threads {
                self.$field.threads()
            }
        } }
    };
    (Program for $field:tt, except $($except:ident),*) => {
        $crate::forward_unless! { [$($except)*] choices {
            #[inline]
            fn choices(&mut self, out: &mut Vec<$crate::Choice>) {
                self.$field.choices(out)
            }
        } }
        $crate::forward_unless! { [$($except)*] step {
            #[inline]
            fn step(&mut self, choice: $crate::Choice, step: &mut $crate::Step) -> Result<(), $crate::Fault> {
                self.$field.step(choice, step)
            }
        } }
        $crate::forward_unless! { [$($except)*] judge {
            #[inline]
            fn judge(&mut self, stuck: bool) -> Option<$crate::Finding> {
                self.$field.judge(stuck)
            }
        } }
        $crate::forward_unless! { [$($except)*] depth {
            #[inline]
            fn depth(&self) -> usize {
                self.$field.depth()
            }
        } }
        $crate::forward_unless! { [$($except)*] rewind {
            #[inline]
            fn rewind(&mut self, depth: usize) -> Result<(), $crate::Fault> {
                self.$field.rewind(depth)
            }
        } }
        $crate::forward_unless! { [$($except)*] here {
            #[inline]
            fn here(&mut self) -> Self::Place {
                self.$field.here()
            }
        } }
        $crate::forward_unless! { [$($except)*] go {
            #[inline]
            fn go(&mut self, place: &Self::Place) -> Result<(), $crate::Fault> {
                self.$field.go(place)
            }
        } }
        $crate::forward_unless! { [$($except)*] threads {
            #[inline]
            fn threads(&mut self, out: &mut Vec<$crate::Thread>) {
                self.$field.threads(out)
            }
        } }
        $crate::forward_unless! { [$($except)*] name {
            #[inline]
            fn name(&self, thread: $crate::ThreadId) -> String {
                self.$field.name(thread)
            }
        } }
        $crate::forward_unless! { [$($except)*] object_name {
            #[inline]
            fn object_name(&self, object: $crate::ObjectId) -> String {
                self.$field.object_name(object)
            }
        } }
        $crate::forward_unless! { [$($except)*] describe {
            #[inline]
            fn describe(&mut self) -> String {
                self.$field.describe()
            }
        } }
        $crate::forward_unless! { [$($except)*] goals {
            #[inline]
            fn goals(&self) -> Vec<String> {
                self.$field.goals()
            }
        } }
        $crate::forward_unless! { [$($except)*] distance {
            #[inline]
            fn distance(&mut self, target: $crate::Target) -> Option<u32> {
                self.$field.distance(target)
            }
        } }
        $crate::forward_unless! { [$($except)*] full_schedule {
            #[inline]
            fn full_schedule(&self, schedule: $crate::Schedule) -> $crate::Schedule {
                self.$field.full_schedule(schedule)
            }
        } }
        $crate::forward_unless! { [$($except)*] usage {
            #[inline]
            fn usage(&self) -> $crate::Usage {
                self.$field.usage()
            }
        } }
        $crate::forward_unless! { [$($except)*] place_bytes {
            #[inline]
            fn place_bytes(&self, place: &Self::Place) -> usize {
                self.$field.place_bytes(place)
            }
        } }
    };
    (Reducible for $field:tt, except $($except:ident),*) => {
        $crate::forward_unless! { [$($except)*] prepare_reduction {
            #[inline]
            fn prepare_reduction(&mut self, after_findings: bool) -> Result<$crate::Promises, $crate::Fault> {
                self.$field.prepare_reduction(after_findings)
            }
        } }
        $crate::forward_unless! { [$($except)*] expect {
            #[inline]
            fn expect(&mut self, choices: &[$crate::Choice]) {
                self.$field.expect(choices)
            }
        } }
        $crate::forward_unless! { [$($except)*] is_cut {
            #[inline]
            fn is_cut(&mut self) -> bool {
                self.$field.is_cut()
            }
        } }
        $crate::forward_unless! { [$($except)*] exit_choice {
            #[inline]
            fn exit_choice(&mut self) -> Option<$crate::Choice> {
                self.$field.exit_choice()
            }
        } }
        $crate::forward_unless! { [$($except)*] retract {
            #[inline]
            fn retract(&mut self) -> Option<$crate::Fault> {
                self.$field.retract()
            }
        } }
    };
    (Stateful for $field:tt, except $($except:ident),*) => {
        $crate::forward_unless! { [$($except)*] prepare_states {
            #[inline]
            fn prepare_states(&mut self) -> Result<(), $crate::Fault> {
                self.$field.prepare_states()
            }
        } }
        $crate::forward_unless! { [$($except)*] fingerprint {
            #[inline]
            fn fingerprint(&mut self) -> u128 {
                self.$field.fingerprint()
            }
        } }
        $crate::forward_unless! { [$($except)*] withholds_choices {
            #[inline]
            fn withholds_choices(&self) -> bool {
                self.$field.withholds_choices()
            }
        } }
        $crate::forward_unless! { [$($except)*] show_endless {
            #[inline]
            fn show_endless(&mut self) {
                self.$field.show_endless()
            }
        } }
        $crate::forward_unless! { [$($except)*] has_cheap_steps {
            #[inline]
            fn has_cheap_steps(&self) -> bool {
                self.$field.has_cheap_steps()
            }
        } }
    };
    (Encode for $field:tt, except $($except:ident),*) => {
        $crate::forward_unless! { [$($except)*] kinds {
            #[inline]
            fn kinds(&self) -> Vec<String> {
                self.$field.kinds()
            }
        } }
        $crate::forward_unless! { [$($except)*] encode {
            #[inline]
            fn encode(&mut self, out: &mut $crate::Encoded) {
                self.$field.encode(out)
            }
        } }
        $crate::forward_unless! { [$($except)*] components {
            #[inline]
            fn components(&mut self, out: &mut Vec<$crate::Component>) {
                self.$field.components(out)
            }
        } }
        $crate::forward_unless! { [$($except)*] partition_key {
            #[inline]
            fn partition_key(&mut self, by: $crate::Partition) -> u64 {
                self.$field.partition_key(by)
            }
        } }
    };
    (Decode for $field:tt, except $($except:ident),*) => {
        $crate::forward_unless! { [$($except)*] decode {
            #[inline]
            fn decode(&mut self, state: &$crate::Encoded) -> Result<(), $crate::Fault> {
                self.$field.decode(state)
            }
        } }
    };
}

/// Expands to a method unless its name is among those in brackets.
#[doc(hidden)]
#[macro_export]
macro_rules! forward_unless {
    ([] $name:ident { $($method:tt)* }) => {
        $($method)*
    };
    ([open $($rest:ident)*] open $method:tt) => {};
    ([renew $($rest:ident)*] renew $method:tt) => {};
    ([open_to_follow $($rest:ident)*] open_to_follow $method:tt) => {};
    ([learned $($rest:ident)*] learned $method:tt) => {};
    ([learn $($rest:ident)*] learn $method:tt) => {};
    ([leaves_out $($rest:ident)*] leaves_out $method:tt) => {};
    ([set_cancel $($rest:ident)*] set_cancel $method:tt) => {};
    ([process_memory $($rest:ident)*] process_memory $method:tt) => {};
    ([threads $($rest:ident)*] threads $method:tt) => {};
    ([choices $($rest:ident)*] choices $method:tt) => {};
    ([step $($rest:ident)*] step $method:tt) => {};
    ([judge $($rest:ident)*] judge $method:tt) => {};
    ([depth $($rest:ident)*] depth $method:tt) => {};
    ([rewind $($rest:ident)*] rewind $method:tt) => {};
    ([here $($rest:ident)*] here $method:tt) => {};
    ([go $($rest:ident)*] go $method:tt) => {};
    ([name $($rest:ident)*] name $method:tt) => {};
    ([object_name $($rest:ident)*] object_name $method:tt) => {};
    ([describe $($rest:ident)*] describe $method:tt) => {};
    ([goals $($rest:ident)*] goals $method:tt) => {};
    ([distance $($rest:ident)*] distance $method:tt) => {};
    ([full_schedule $($rest:ident)*] full_schedule $method:tt) => {};
    ([usage $($rest:ident)*] usage $method:tt) => {};
    ([place_bytes $($rest:ident)*] place_bytes $method:tt) => {};
    ([prepare_reduction $($rest:ident)*] prepare_reduction $method:tt) => {};
    ([expect $($rest:ident)*] expect $method:tt) => {};
    ([is_cut $($rest:ident)*] is_cut $method:tt) => {};
    ([exit_choice $($rest:ident)*] exit_choice $method:tt) => {};
    ([retract $($rest:ident)*] retract $method:tt) => {};
    ([prepare_states $($rest:ident)*] prepare_states $method:tt) => {};
    ([fingerprint $($rest:ident)*] fingerprint $method:tt) => {};
    ([withholds_choices $($rest:ident)*] withholds_choices $method:tt) => {};
    ([show_endless $($rest:ident)*] show_endless $method:tt) => {};
    ([has_cheap_steps $($rest:ident)*] has_cheap_steps $method:tt) => {};
    ([kinds $($rest:ident)*] kinds $method:tt) => {};
    ([encode $($rest:ident)*] encode $method:tt) => {};
    ([components $($rest:ident)*] components $method:tt) => {};
    ([partition_key $($rest:ident)*] partition_key $method:tt) => {};
    ([decode $($rest:ident)*] decode $method:tt) => {};
    ([$other:ident $($rest:ident)*] $name:ident $method:tt) => {
        $crate::forward_unless! { [$($rest)*] $name $method }
    };
}

#[cfg(test)]
mod tests {
    /// The methods of a trait, by the text of its file.
    fn declared(text: &'static str, name: &str) -> Vec<&'static str> {
        let start =
            text.find(&format!("pub trait {name}: ")).or_else(|| text.find(&format!("pub trait {name} {{")));
        let body = &text[start.expect("the trait is in the file")..];
        methods(&body[..body.find("\n}").expect("the trait ends")])
    }

    fn methods(text: &'static str) -> Vec<&'static str> {
        let names = text.lines().filter_map(|line| line.trim().strip_prefix("fn "));
        names.map(|rest| &rest[..rest.find('(').expect("it has parameters")]).collect()
    }

    #[test]
    fn every_method_is_forwarded() {
        let (program, stateful) = (include_str!("program.rs"), include_str!("stateful.rs"));
        let traits = [
            (include_str!("load.rs"), "Load"),
            (program, "Program"),
            (include_str!("reducible.rs"), "Reducible"),
            (stateful, "Stateful"),
            (stateful, "Encode"),
            (stateful, "Decode"),
        ];
        let text_of_macro = include_str!("forward.rs");
        for (text, name) in traits {
            let start = text_of_macro.find(&format!("    ({name} for")).expect("it has an arm");
            let arm = &text_of_macro[start..];
            let arm = &arm[..arm.find("\n    };").expect("the arm ends")];
            let mut all = declared(text, name);
            // A program that takes steps by itself would pass an adaptor by.
            // And the twin of what an adaptor holds is no adaptor.
            let own = ["shared_set", "search_on", "twin", "take_notes_of"];
            all.retain(|method| !own.contains(method));
            assert_eq!(methods(arm), all, "{name}");
        }
    }
}
