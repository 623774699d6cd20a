/** A person with an account, as the API sees them: sets the scene quickly where the story is about something else. */
import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { Session } from "../../server/contract/sessions";
import type { Task } from "../../server/contract/tasks";

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Where Camelot is served. */
export interface Place {
  readonly url: string;
}

export class Person {
  readonly name: string;
  readonly email: string;
  readonly password = "correct horse battery";
  readonly id: string;
  /** What a request of this person carries. */
  readonly cookie: string;
  readonly #place: Place;

  private constructor(place: Place, name: string, email: string, id: string, cookie: string) {
    this.#place = place;
    this.name = name;
    this.email = email;
    this.id = id;
    this.cookie = cookie;
  }

  static async signUp(place: Place, name: string): Promise<Person> {
    const email = `${name.toLowerCase().replace(/[^a-z]+/g, ".")}@example.test`;
    const answer = await fetch(`${place.url}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: place.url },
      body: JSON.stringify({ name, email, password: "correct horse battery" }),
    });
    if (!answer.ok) throw new Error(`${name} cannot sign up: ${answer.status} ${await answer.text()}`);
    const { user } = (await answer.json()) as { user: { id: string } };
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    return new Person(place, name, email, user.id, cookie);
  }

  /** Lets a browser go on as this person. */
  async enter(context: BrowserContext): Promise<void> {
    const cookies = this.cookie.split("; ").map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return { name, value: value.join("="), url: this.#place.url };
    });
    await context.addCookies(cookies);
  }

  /** A page in a browser of their own. */
  async openPage(browser: Browser): Promise<Page> {
    const context = await browser.newContext();
    await this.enter(context);
    return context.newPage();
  }

  async call<Body = unknown>(method: string, route: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await fetch(`${this.#place.url}/api/v1${route}`, {
      method,
      headers: {
        cookie: this.cookie,
        origin: this.#place.url,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
    const result: Answer<Body> = {
      status: answer.status,
      headers: answer.headers,
      body: (isJson ? JSON.parse(text) : text) as Body,
    };
    return result;
  }

  /** Like `call`, for calls that have to succeed. */
  async must<Body>(method: string, route: string, body?: unknown): Promise<Body> {
    const answer = await this.call<Body>(method, route, body);
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  makeProject(name: string, repository: string): Promise<{ id: string }> {
    return this.must("POST", "/projects", { name, repository });
  }

  addMember(projectId: string, other: Person, role = "member"): Promise<unknown> {
    return this.must("PUT", `/projects/${projectId}/members/${other.id}`, { role });
  }

  makeTask(projectId: string, title: string, prompt: string, agentId?: string): Promise<Task> {
    return this.must("POST", `/projects/${projectId}/tasks`, { title, prompt, agentId });
  }

  dispatch(taskId: string): Promise<{ session: Session; position: number | null; existing: boolean }> {
    return this.must("POST", `/tasks/${taskId}/dispatch`, {});
  }

  session(id: string): Promise<Session> {
    return this.must("GET", `/sessions/${id}`);
  }

  async output(sessionId: string): Promise<string> {
    const answer = await this.call<string>("GET", `/sessions/${sessionId}/output?offset=0`);
    return String(answer.body);
  }
}
