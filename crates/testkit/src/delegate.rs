//! What adaptors of programs pass on unchanged.

/// The methods of `Program` that only look at where it stands, passed on to the field `program`.
macro_rules! views {
    () => {
        fn choices(&mut self, out: &mut Vec<sojourner_program::Choice>) {
            self.program.choices(out);
        }

        fn threads(&mut self, out: &mut Vec<sojourner_program::Thread>) {
            self.program.threads(out);
        }

        fn name(&self, thread: sojourner_program::ThreadId) -> String {
            self.program.name(thread)
        }

        fn object_name(&self, object: sojourner_program::ObjectId) -> String {
            self.program.object_name(object)
        }

        fn describe(&mut self) -> String {
            self.program.describe()
        }

        fn prepare_reduction(&mut self, goes_on: bool) -> Result<(), sojourner_program::Fault> {
            self.program.prepare_reduction(goes_on)
        }

        fn in_full(&self, schedule: sojourner_program::Schedule) -> sojourner_program::Schedule {
            self.program.in_full(schedule)
        }

        fn is_cut(&mut self) -> bool {
            self.program.is_cut()
        }

        fn leaving(&mut self) -> Option<sojourner_program::Choice> {
            self.program.leaving()
        }

        fn contradicted(&mut self) -> Option<sojourner_program::Fault> {
            self.program.contradicted()
        }

        fn has_exact_footprints(&self) -> bool {
            self.program.has_exact_footprints()
        }

        fn watches_states(&self) -> bool {
            self.program.watches_states()
        }

        fn goals(&self) -> Vec<String> {
            self.program.goals()
        }

        fn reached(&mut self, goal: usize) -> bool {
            self.program.reached(goal)
        }

        fn distance(&self, target: sojourner_program::Target) -> Option<u32> {
            self.program.distance(target)
        }
    };
}

/// The methods of `Stateful` that only look, passed on to the field `program`.
macro_rules! states {
    () => {
        fn fingerprint(&mut self) -> u128 {
            self.program.fingerprint()
        }

        fn encode(&mut self, out: &mut sojourner_program::Encoded) {
            self.program.encode(out);
        }

        fn steps_are_cheap(&self) -> bool {
            self.program.steps_are_cheap()
        }

        fn kinds(&self) -> Vec<String> {
            self.program.kinds()
        }

        fn key(&mut self, by: sojourner_program::Partition) -> u64 {
            self.program.key(by)
        }
    };
}

pub(crate) use {states, views};
