/**
 * Boards told to sockets (L3): one room per project that somebody looks at. Everything a room does is one after the other, so
 * a late read never overwrites a newer one. A socket joins in the same breath in which its snapshot is sent, and what changes
 * while that snapshot is read is read again after it: nothing can fall between the two.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../core/text/reason";
import type { ProjectId, TaskId } from "../core/words";
import type { BoardViews } from "../ports/views";
import { createPace, type Pace } from "./pace";
import type { LiveServer, LiveSocket } from "./wire";

/** At most ten messages a second and room (L2). */
const EVERY_MS = 100;
/** Rest after a read that failed, ms. */
const RETRY_MS = 500;

interface Room {
  readonly projectId: ProjectId;
  readonly name: string;
  readonly epoch: string;
  version: number;
  readonly members: Set<LiveSocket>;
  joining: Joining[];
  dirty: Set<TaskId>;
  readonly pace: Pace;
}

interface Joining {
  readonly socket: LiveSocket;
  /** False: the board could not be read. */
  readonly joined: (ok: boolean) => void;
}

export interface BoardRooms {
  /** Resolves once the snapshot was sent; false: the board cannot be read now. */
  join(socket: LiveSocket, projectId: ProjectId): Promise<boolean>;
  leave(socket: LiveSocket, projectId: ProjectId): void;
  changed(projectId: ProjectId, taskIds: Iterable<TaskId>): void;
  /** Something may have changed unheard: everybody gets the board once more. */
  missed(): void;
  /** Tells the socket that this board is shut to it, and lets it go. */
  shut(socket: LiveSocket, projectId: ProjectId): void;
  stop(): void;
}

export function createBoardRooms(io: LiveServer, views: BoardViews, warn: (message: string) => void): BoardRooms {
  const rooms = new Map<ProjectId, Room>();

  async function work(room: Room): Promise<void> {
    const joining = room.joining.splice(0);
    try {
      if (joining.length > 0) await welcome(room, joining);
      else if (room.dirty.size > 0) await tell(room);
    } catch (error) {
      warn(`the board of project ${room.projectId} could not be read: ${reasonOf(error)}`);
      for (const { joined } of joining) joined(false);
      await sleep(RETRY_MS);
    }
    if (room.joining.length > 0 || room.dirty.size > 0) room.pace.told();
  }

  async function welcome(room: Room, joining: readonly Joining[]): Promise<void> {
    const tasks = await views.board(room.projectId);
    const { projectId, epoch, version } = room;
    const still = joining.filter(({ socket }) => socket.connected && room.members.has(socket));
    for (const { socket } of still) void socket.join(room.name);
    const ids = still.map(({ socket }) => socket.id);
    if (ids.length > 0) io.to(ids).emit("board", { kind: "snapshot", projectId, epoch, version, tasks });
    for (const { joined } of joining) joined(true);
  }

  async function tell(room: Room): Promise<void> {
    const ids = [...room.dirty];
    room.dirty = new Set();
    try {
      const set = await views.cards(room.projectId, ids);
      const there = new Set(set.map((task) => task.id));
      const from = room.version;
      room.version += 1;
      const { projectId, epoch, version: to } = room;
      const gone = ids.filter((id) => !there.has(id));
      io.to(room.name).emit("board", { kind: "delta", projectId, epoch, from, to, set, gone });
    } catch (error) {
      for (const id of ids) room.dirty.add(id);
      throw error;
    }
  }

  function roomOf(projectId: ProjectId): Room {
    const known = rooms.get(projectId);
    if (known) return known;
    const epoch = randomUUID();
    const room: Room = {
      projectId,
      name: `board:${epoch}`,
      epoch,
      version: 0,
      members: new Set(),
      joining: [],
      dirty: new Set(),
      pace: createPace(EVERY_MS, () => work(room)),
    };
    rooms.set(projectId, room);
    return room;
  }

  const boards: BoardRooms = {
    join(socket, projectId) {
      const room = roomOf(projectId);
      room.members.add(socket);
      return new Promise((joined) => {
        room.joining.push({ socket, joined });
        room.pace.told();
      });
    },
    leave(socket, projectId) {
      const room = rooms.get(projectId);
      if (!room?.members.delete(socket)) return;
      void socket.leave(room.name);
      if (room.members.size > 0) return;
      rooms.delete(projectId);
      room.pace.stop();
      for (const { joined } of room.joining.splice(0)) joined(false);
    },
    changed(projectId, taskIds) {
      const room = rooms.get(projectId);
      if (!room) return;
      for (const id of taskIds) room.dirty.add(id);
      room.pace.told();
    },
    missed() {
      for (const room of rooms.values()) {
        for (const socket of room.members) room.joining.push({ socket, joined: () => {} });
        room.pace.told();
      }
    },
    shut(socket, projectId) {
      socket.emit("board", { kind: "closed", projectId });
      boards.leave(socket, projectId);
    },
    stop() {
      for (const room of rooms.values()) room.pace.stop();
    },
  };
  return boards;
}
