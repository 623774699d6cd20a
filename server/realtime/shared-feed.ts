/**
 * The feed of several servers on one database (P19): what is told here is told to the others, and what they tell is told here, so
 * a board shows what somebody did at another server. Gossip like all of the feed.
 */
import { randomUUID } from "node:crypto";
import type { Feed, FeedWord } from "../ports/feed";
import type { Gossip } from "../ports/gossip";

/** Cards in one word: the database carries 8,000 bytes. */
const CARDS_PER_WORD = 100;

/** Hears the others for as long as the gossip lasts. */
export function shareFeed(here: Feed, gossip: Gossip): Feed {
  const from = randomUUID();
  const say = (word: FeedWord) => gossip.say({ kind: "feed", from, word });
  gossip.hear((word) => {
    if (word.kind === "feed" && word.from !== from) pass(here, word.word);
  });

  function sayCards(projectId: string, taskIds: readonly string[]): void {
    for (let at = 0; at < taskIds.length; at += CARDS_PER_WORD) {
      say({ kind: "tasks", projectId, taskIds: taskIds.slice(at, at + CARDS_PER_WORD) });
    }
  }

  return {
    tasksChanged(projectId, taskIds) {
      here.tasksChanged(projectId, taskIds);
      sayCards(projectId, taskIds);
    },
    tasksGone(projectId, taskIds) {
      here.tasksGone(projectId, taskIds);
      sayCards(projectId, taskIds);
    },
    projectGone(projectId) {
      here.projectGone(projectId);
      say({ kind: "project-gone", projectId });
    },
    accessChanged(userId) {
      here.accessChanged(userId);
      say({ kind: "access", userId });
    },
    loginEnded(loginId) {
      here.loginEnded(loginId);
      say({ kind: "login-ended", loginId });
    },
    personDeactivated(userId) {
      here.personDeactivated(userId);
      say({ kind: "person-deactivated", userId });
    },
    news(topic, audience) {
      here.news(topic, audience);
      say({ kind: "news", topic, audience });
    },
  };
}

function pass(feed: Feed, word: FeedWord): void {
  if (word.kind === "tasks") feed.tasksChanged(word.projectId, word.taskIds);
  else if (word.kind === "project-gone") feed.projectGone(word.projectId);
  else if (word.kind === "access") feed.accessChanged(word.userId);
  else if (word.kind === "person-deactivated") feed.personDeactivated(word.userId);
  else if (word.kind === "news") feed.news(word.topic, word.audience);
  else feed.loginEnded(word.loginId);
}
