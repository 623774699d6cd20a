"use client";
/** What must not be overlooked: no connection, a server that restarts, an expired login, a paused pool (B13). */
import { useConnection, useConnectionState, usePool } from "../live/live-provider";
import { Icon } from "../ui/icon";
import { timeOfDay } from "../ui/time";
import { SignInLink } from "./sign-in-link";

export function Banners() {
  return (
    <div className="banners">
      <ConnectionBanner />
      <PausedBanner />
    </div>
  );
}

function ConnectionBanner() {
  const connection = useConnection();
  const state = useConnectionState();
  switch (state.kind) {
    case "connecting":
    case "live":
    // Stands in the place of the whole page (`shell.tsx`).
    case "deactivated":
      return null;
    case "reconnecting":
      return (
        <div className="banner" role="status">
          <Icon name="off" />
          <span>
            <b>Reconnecting</b> · showing {timeOfDay(state.showing)}
          </span>
          <button type="button" className="btn sm end" onClick={() => connection?.tryNow()}>
            Try now
          </button>
        </div>
      );
    case "database-away":
      return (
        <div className="banner" role="status">
          <Icon name="off" />
          <span>
            <b>The database does not answer</b> · showing {timeOfDay(state.showing)}. Agents keep running.
          </span>
        </div>
      );
    case "restarting":
      return (
        <div className="banner neutral" role="status">
          <Icon name="retry" />
          <span>
            <b>The server is restarting.</b> Agents keep running, your place in line is kept.
          </span>
        </div>
      );
    case "expired":
      return (
        <div className="banner bad" role="status">
          <Icon name="alert" />
          <span>
            <b>You are signed out.</b> Your login expired, or was ended from another browser. What you typed is kept.
          </span>
          <SignInLink className="btn sm end" />
        </div>
      );
    default:
      return state satisfies never;
  }
}

function PausedBanner() {
  if (!usePool()?.paused) return null;
  return (
    <div className="banner neutral" role="status">
      <Icon name="pause" />
      <span>
        <b>The pool is paused.</b> Dispatches are accepted and wait. Running sessions go on.
      </span>
    </div>
  );
}
