//! The table of front-ends: the one place that names them all.

use sojourner_java::front_end::Java;
use sojourner_models::Models;
use sojourner_native::front_end::Native;

/// The front-ends of the command `sojourner`. The first that recognises a target opens it.
pub static FRONT_ENDS: (Models, Native, Java) = (Models, Native, Java);
