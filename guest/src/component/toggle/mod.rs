//! `toggle`.

mod convert;

use std::cell::RefCell;

use super::{Component, exports::toggle as wit};
use crate::toggle;

impl wit::Guest for Component {
    type Switch = Switch;

    fn read_config(
        text: String,
        naming: wit::Naming,
        bridged: Option<Vec<String>>,
    ) -> Result<wit::Configuration, wit::Problem> {
        toggle::read_config(&text, naming.into(), bridged.as_deref())
            .map(Into::into)
            .map_err(Into::into)
    }

    fn sizes() -> wit::Limits {
        wit::Limits {
            document_bytes: u32::try_from(toggle::LONGEST_DOCUMENT).unwrap_or(u32::MAX),
            body_bytes: u32::try_from(toggle::LONGEST_BODY).unwrap_or(u32::MAX),
        }
    }

    fn estimate_tokens(bytes: u64) -> u64 {
        toggle::estimate_tokens(bytes)
    }

    fn open(settings: wit::Settings, hosting: wit::Hosting) -> Result<wit::Switch, wit::Problem> {
        let switch = toggle::Switch::open(settings.into(), hosting.into())?;
        Ok(wit::Switch::new(Switch(RefCell::new(switch))))
    }
}

/// A switch, behind the shared reference that the bindings give. Calls don't nest: it calls nobody.
pub(super) struct Switch(RefCell<toggle::Switch>);

impl wit::GuestSwitch for Switch {
    fn adopt(&self, document: Option<Vec<u8>>) -> wit::Adopted {
        self.0.borrow_mut().adopt(document.as_deref()).into()
    }

    fn prepare_write(
        &self,
        current: Option<Vec<u8>>,
        change: wit::Change,
    ) -> Result<wit::Written, wit::Problem> {
        let written = self
            .0
            .borrow()
            .prepare_write(current.as_deref(), &change.into())?;
        Ok(written.into())
    }

    fn tools_changed(&self, tools: wit::Toolset) -> Result<wit::Orders, wit::Problem> {
        let orders = self.0.borrow_mut().tools_changed(tools.into())?;
        Ok(orders.into())
    }

    fn sizes_told(&self, sizes: Vec<(String, u64)>) {
        self.0.borrow_mut().sizes_told(sizes);
    }

    fn agents_seen(&self, agents: Vec<wit::Agent>) -> Result<wit::Orders, wit::Problem> {
        let orders = self.0.borrow_mut().agents_seen(convert::all(agents))?;
        Ok(orders.into())
    }

    fn lineage_told(&self, ancestors: Vec<wit::Ancestor>) -> Result<wit::Orders, wit::Problem> {
        let ancestors: Vec<toggle::Ancestor> = convert::all(ancestors);
        let orders = self.0.borrow_mut().lineage_told(&ancestors)?;
        Ok(orders.into())
    }

    fn agent_gone(&self, id: String) {
        self.0.borrow_mut().agent_gone(&id);
    }

    fn holds(&self, agent: String, held: wit::Held) {
        self.0.borrow_mut().holds(&agent, held.into());
    }

    fn decision(&self, agent: String) -> Option<wit::Decision> {
        self.0.borrow().decision(&agent).map(Into::into)
    }

    fn status(&self, session: String) -> Result<wit::Status, wit::Problem> {
        Ok(self.0.borrow().status(&session)?.into())
    }

    fn summary(&self) -> wit::Summary {
        self.0.borrow().summary().into()
    }

    fn conversations(&self) -> Vec<wit::Conversation> {
        convert::all(self.0.borrow().conversations())
    }

    fn command(&self, session: String, input: String) -> wit::CommandStep {
        self.0.borrow().command(&session, &input).into()
    }

    fn command_answer(
        &self,
        change: wit::Change,
        failure: Option<wit::StoreFailure>,
    ) -> wit::Reply {
        let failure = failure.map(Into::into);
        self.0
            .borrow()
            .command_answer(&change.into(), failure.as_ref())
            .into()
    }

    fn http(&self, request: wit::HttpRequest, fence: wit::Fence) -> wit::HttpStep {
        self.0.borrow().http(&request.into(), &fence.into()).into()
    }

    fn http_answer(
        &self,
        change: wit::HttpChange,
        failure: Option<wit::StoreFailure>,
    ) -> wit::HttpResponse {
        let failure = failure.map(Into::into);
        self.0
            .borrow()
            .http_answer(&change.into(), failure.as_ref())
            .into()
    }

    fn lift_all(&self) -> wit::Orders {
        self.0.borrow_mut().lift_all().into()
    }
}
