//! A box's connection, from its register to its end.

use std::sync::Arc;
use std::time::Duration;

use quinn::Connection;
use quinn::Endpoint;
use quinn::VarInt;
use tokio::time::timeout;
use vyre_certs::identity;
use vyre_proto::head::Control;
use vyre_proto::head::DelayRange;
use vyre_proto::head::End;
use vyre_proto::head::REGISTER_LABEL;
use vyre_proto::head::Register;
use vyre_proto::head::register_message;

use super::STREAM_WINDOW;
use crate::bridge::Halves;
use crate::bridge::code;
use crate::hub::BoxLink;
use crate::hub::Hub;
use crate::quota;
use crate::registry::RegisterRefused;

/// What may be on its way to one box and not acknowledged.
const BOX_SEND_WINDOW: u64 = 4 * 1024 * 1024;

/// When one that was refused for a limit may come again.
const OVERLOAD_RETRY: Duration = Duration::from_secs(5);

/// When a box whose place is taken by a later start of it may come again.
const REPLACED_RETRY: Duration = Duration::from_secs(60);

/// A box, from its register to its end.
pub(super) async fn serve(
    conn: Connection,
    register: Register,
    mut control: Halves,
    hub: &Arc<Hub>,
    endpoint: &Endpoint,
) {
    let id = register.box_id;
    let mut exported = [0; 32];
    let proved = conn.export_keying_material(&mut exported, REGISTER_LABEL, b"").is_ok()
        && identity::verify(&id, &register_message(&exported), &register.proof.0).is_ok();
    if !proved {
        tracing::warn!(r#box = %id, "a register without a proof of this box's key");
        refuse(&conn, &mut control, hub, End::Denied, "the proof of the box's key does not hold", REPLACED_RETRY).await;
        return;
    }
    let link = BoxLink::new(id, conn.clone());
    let generation = match hub.register(&register, link.clone()) {
        Ok(generation) => generation,
        Err(e) => {
            let (end, after) = match e {
                RegisterRefused::Older => (End::Replaced, REPLACED_RETRY),
                RegisterRefused::Boxes { .. } | RegisterRefused::Legs { .. } => (End::Overload, OVERLOAD_RETRY),
            };
            tracing::warn!(r#box = %id, instance = ?register.instance, "register refused: {e}");
            refuse(&conn, &mut control, hub, end, &e.to_string(), after).await;
            return;
        }
    };
    let _held = hub.metrics.boxes.hold();
    let streams = u32::try_from(hub.limits().streams_per_box).unwrap_or(u32::MAX);
    // From here on it is this side that opens streams.
    conn.set_max_concurrent_bi_streams(VarInt::from_u32(1));
    conn.set_receive_window(VarInt::from_u64(u64::from(STREAM_WINDOW) * u64::from(streams)).unwrap_or(VarInt::MAX));
    conn.set_send_window(BOX_SEND_WINDOW);
    let registered = Control::Registered { max_streams: streams }.to_record();
    tracing::info!(r#box = %id, instance = ?register.instance, leg = register.leg.0, "registered");
    if control.send.write_all(&registered).await.is_ok() {
        let mut nothing = [0; 64];
        tokio::select! {
            _ = conn.closed() => {}
            // The box has nothing to say here; its FIN says that it leaves. What is open is carried to its end.
            _ = control.recv.read(&mut nothing) => {
                hub.leave(&id, generation);
                tokio::select! {
                    _ = conn.closed() => {}
                    end = link.asked_to_leave() => goodbye(&conn, &mut control, endpoint, end).await,
                }
            }
            end = link.asked_to_leave() => {
                hub.leave(&id, generation);
                goodbye(&conn, &mut control, endpoint, end).await;
            }
        }
    }
    hub.leave(&id, generation);
    tracing::info!(r#box = %id, reason = %conn.close_reason().map(|e| e.to_string()).unwrap_or_default(), "gone");
}

/// Says goodbye as fits the reason, and stays until the connection is closed.
async fn goodbye(conn: &Connection, control: &mut Halves, endpoint: &Endpoint, end: End) {
    if end == End::Replaced {
        // A newer one stands: whatever still holds this connection is an old process, or a path that is gone.
        conn.close(code(End::Replaced), End::Replaced.sentence().as_bytes());
        return;
    }
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    let delay = DelayRange { min: Duration::ZERO, max: quota::spread(endpoint.open_connections(), cores) };
    let bye = Control::Bye { end: End::Restart, delay }.to_record();
    let _ = timeout(Duration::from_secs(1), control.send.write_all(&bye)).await;
    let _ = control.send.finish();
    // Who took over goes by itself; the server closes what is left.
    conn.closed().await;
}

/// Tells a box why not, and closes.
async fn refuse(conn: &Connection, control: &mut Halves, hub: &Hub, end: End, message: &str, retry_after: Duration) {
    hub.metrics.register_refused.add_one(end);
    let refused = Control::Refused { end, message: message.to_owned(), retry_after }.to_record();
    if control.send.write_all(&refused).await.is_ok() {
        control.send.settle(Duration::from_secs(1)).await;
    }
    conn.close(code(end), message.as_bytes());
}
