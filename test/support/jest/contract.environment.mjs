import { TestEnvironment } from 'jest-environment-node';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const CHANNEL = 'http.client.response.finish';
const MOST_SHOWN = 5;
const LONGEST_WAIT_MS = 5_000;
const MOST_CHARACTERS = 1_500;

/** Shared by all test files of a worker, because loading the document and compiling schemas takes longer than many tests. */
let contract = null;

/** Without a stack, because it would point here. */
function asFailure(message) {
  const error = new Error(message);
  error.stack = message;
  return error;
}

function textOf(page) {
  const text = page.locator('body').innerText({ timeout: LONGEST_WAIT_MS });
  return text.catch(({ message }) => message);
}

async function loadContract() {
  const { ApiContract } = await import('../contract/api-contract.mjs');
  const document = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
  return new ApiContract(JSON.parse(document));
}

/**
 * Checks every response of the service that a test receives against openapi.json, and fails the test if it differs.
 * Sees `fetch` and `node:http`, not bytes on a bare socket. Only our service sets `X-Request-Id`, so object stores and
 * other test servers are left out.
 */
export default class ContractEnvironment extends TestEnvironment {
  #violations = new Set();
  /** Response bodies that the browser has not returned yet. */
  #pending = new Set();
  /** The browser profiles that tests have opened. */
  #profiles = new Set();
  #onResponse = ({ request, response }) => this.#observeIncoming(request, response);

  async setup() {
    await super.setup();
    contract ??= await loadContract();
    subscribe(CHANNEL, this.#onResponse);
    const { fetch } = this.global;
    this.global.fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.headers.has('x-request-id'))
        this.#observeFetched(init?.method ?? input.method ?? 'GET', response);
      return response;
    };
    // For pages, and responses that only a browser receives: see browser.ts.
    this.global.showPagesOf = (profile) => this.#profiles.add(profile);
    this.global.observeResponse = (head) => this.#observe(head);
    this.global.awaitObserved = (read) => {
      const done = read.finally(() => this.#pending.delete(done));
      this.#pending.add(done);
    };
  }

  async teardown() {
    unsubscribe(CHANNEL, this.#onResponse);
    await super.teardown();
  }

  async handleTestEvent(event, state) {
    if (!['test_done', 'run_finish'].includes(event.name)) return;
    // A page may be closed during a response that never ends, or not read it to its end: waiting for it once is enough.
    await Promise.race([Promise.all(this.#pending), delay(LONGEST_WAIT_MS, undefined, { ref: false })]);
    this.#pending.clear();
    if (event.name === 'test_done' && event.test.errors.length > 0) await this.#showPages(event.test.errors);
    if (event.name === 'test_done') this.#report(event.test.errors);
    // Differences found after the last test.
    if (event.name === 'run_finish') this.#report(state.unhandledErrors);
  }

  /** A failed search for an element does not tell what the page showed instead. */
  async #showPages(errors) {
    const texts = [...this.#profiles]
      .flatMap((profile) => profile.pages())
      .map(async (page) => `${page.url()}\n${(await textOf(page)).slice(0, MOST_CHARACTERS)}`);
    if (texts.length > 0) errors.push(asFailure(`Open pages:\n${(await Promise.all(texts)).join('\n\n')}`));
  }

  #report(errors) {
    if (this.#violations.size === 0) return;
    const all = [...this.#violations];
    this.#violations.clear();
    const more = all.length > MOST_SHOWN ? [`and ${all.length - MOST_SHOWN} more`] : [];
    const lines = [...all.slice(0, MOST_SHOWN), ...more].map((line) => `  ${line}`);
    errors.push(asFailure(`Responses differ from openapi.json:\n${lines.join('\n')}`));
  }

  /** Returns a function that checks the text of the body, if it has to be checked. */
  #observe({ method, url, status, type }) {
    const path = url.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '') || '/';
    const attempt = (check) => {
      try {
        return check();
      } catch (error) {
        this.#violations.add(`${method} ${path} → ${status}: ${error.message}`);
        return null;
      }
    };
    const checkBody = attempt(() => contract.checkHead({ method, path, status, type }));
    return checkBody && ((text) => attempt(() => checkBody(JSON.parse(text))));
  }

  /** The body is checked when the test reads it, so that this never reads more than the test does. */
  #observeFetched(method, response) {
    const { url, status, headers } = response;
    const checkText = this.#observe({ method, url, status, type: headers.get('content-type') });
    if (!checkText) return;
    const read = response.text.bind(response);
    response.text = async () => {
      const text = await read();
      checkText(text);
      return text;
    };
    response.json = async () => JSON.parse(await response.text());
    response.arrayBuffer = async () => new TextEncoder().encode(await response.text()).buffer;
  }

  #observeIncoming(request, response) {
    const { headers, statusCode } = response;
    if (headers['x-request-id'] === undefined) return;
    const head = {
      method: request.method,
      url: request.path,
      status: statusCode,
      type: headers['content-type'],
    };
    const checkText = this.#observe(head);
    if (!checkText) return;
    // Listening for data would start reading before the test does.
    const chunks = [];
    const push = response.push.bind(response);
    response.push = (chunk, ...rest) => {
      if (chunk !== null) chunks.push(chunk);
      else if (response.complete) checkText(Buffer.concat(chunks).toString());
      return push(chunk, ...rest);
    };
  }
}
