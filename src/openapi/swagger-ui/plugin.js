/** Adapts Swagger UI to this API: a sign-in with email and password, a filter for everything, and names for all controls. */

// The page of @nestjs/swagger has no viewport: phones would show it as wide as a desktop, with tiny text.
document.head.append(
  Object.assign(document.createElement('meta'), {
    name: 'viewport',
    content: 'width=device-width, initial-scale=1',
  }),
);

globalThis.libraryPlugin = ({ React }) => {
  const { createElement: h, useEffect, useRef, useState } = React;
  /** The security schemes of openapi.json that are treated specially. */
  const PASSWORD = 'password';
  const COOKIE = 'cookie';

  async function requestToken(url, username, password) {
    const body = new URLSearchParams({ grant_type: 'password', username, password });
    const response = await fetch(url, { method: 'POST', body });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail);
    return answer;
  }

  function SignIn({ schema, authActions, authSelectors }) {
    const [error, setError] = useState(null);
    const email = useRef(null);
    const username = authSelectors.authorized().getIn([PASSWORD, 'username']);
    // After the other fields, which also want the focus.
    useEffect(() => email.current?.focus(), [username]);

    async function signIn(event) {
      event.preventDefault();
      const form = new FormData(event.target);
      setError(null);
      try {
        const token = await requestToken(schema.get('tokenUrl'), form.get('email'), form.get('password'));
        authActions.authorizeOauth2WithPersistOption({
          auth: { name: PASSWORD, schema, username: form.get('email') },
          token,
        });
        authActions.showDefinitions(false);
      } catch ({ message }) {
        setError(message);
      }
    }

    const button = (label, properties) =>
      h('button', { className: 'btn modal-btn auth', ...properties }, label);
    const field = (label, properties) =>
      h('label', null, label, h('input', { required: true, ...properties }));
    return h(
      'form',
      { className: 'auth-container sign-in', onSubmit: signIn },
      h('h4', null, 'Email and password'),
      username === undefined
        ? [
            field('Email', { key: 1, ref: email, name: 'email', type: 'email', autoComplete: 'username' }),
            field('Password', {
              key: 2,
              name: 'password',
              type: 'password',
              autoComplete: 'current-password',
            }),
            error && h('p', { key: 3, role: 'alert' }, error),
            button('Sign in', { key: 4, type: 'submit' }),
          ]
        : [
            h('p', { key: 5 }, 'Signed in as ', h('strong', null, username)),
            button('Sign out', {
              key: 6,
              type: 'button',
              onClick: () => authActions.logoutWithPersistOption([PASSWORD]),
            }),
          ],
    );
  }

  /** Email and password first, then the schemes for programs. Requests of this page cannot set the cookie. */
  const auths = (Original) => (properties) => {
    const { definitions } = properties;
    if (definitions.has(COOKIE)) return null;
    if (!definitions.has(PASSWORD)) return h(Original, properties);
    return h(SignIn, { ...properties, schema: definitions.get(PASSWORD) });
  };

  const authorizationPopup = (Original) => (properties) => {
    const dialog = useRef(null);
    const [opener] = useState(() => document.activeElement);
    useEffect(() => () => opener.focus(), [opener]);

    function keepFocus(event) {
      if (event.key !== 'Tab') return;
      const controls = [...dialog.current.querySelectorAll('button, input')];
      const [from, to] = event.shiftKey ? [controls[0], controls.at(-1)] : [controls.at(-1), controls[0]];
      if (document.activeElement !== from) return;
      event.preventDefault();
      to.focus();
    }

    return h(
      'div',
      { ref: dialog, role: 'dialog', 'aria-modal': true, 'aria-label': 'Authorize', onKeyDown: keepFocus },
      h(Original, properties),
    );
  };

  function Filter({ layoutActions, layoutSelectors }) {
    const phrase = layoutSelectors.currentFilter();
    return h(
      'div',
      { className: 'wrapper', role: 'search' },
      h('input', {
        className: 'operation-filter-input',
        type: 'search',
        'aria-label': 'Filter operations',
        placeholder: 'Filter operations: trash, upload, listAssets …',
        value: phrase === true ? '' : phrase,
        onChange: ({ target }) => layoutActions.updateFilter(target.value || true),
      }),
    );
  }

  /** Looks for every word in the group, the path, the summary and the operation id. */
  function opsFilter(groups, phrase) {
    const words = phrase.toLowerCase().split(/\s+/);
    return groups
      .map((group, name) =>
        group.update('operations', (operations) =>
          operations.filter((operation) => {
            const details = operation.get('operation');
            const parts = [name, operation.get('path'), details.get('summary'), details.get('operationId')];
            const text = parts.join(' ').toLowerCase();
            return words.every((word) => text.includes(word));
          }),
        ),
      )
      .filter((group) => group.get('operations').size > 0);
  }

  /** What the filter finds is shown, although groups are collapsed at first. */
  const isShown = (original) => (state, thing, byDefault) =>
    original(thing, byDefault || (thing[0] === 'operations-tag' && state.get('filter') !== true));

  /** Swagger UI leaves these without a name, with one that does not contain their text, or out of reach of the keyboard. */
  function fixControls() {
    const all = (selector) => document.querySelectorAll(selector);
    const name = (element, text) => element.setAttribute('aria-label', text);
    for (const field of all('[data-param-name] :is(select, input, textarea)'))
      name(field, field.closest('[data-param-name]').dataset.paramName);
    for (const field of all('.body-param__text')) name(field, 'Body');
    for (const field of all('.examples-select-element')) name(field, 'Example');
    for (const button of all('.opblock-tag > .expand-operation')) {
      name(button, button.parentElement.dataset.tag);
      button.removeAttribute('title');
    }
    for (const button of all('.auth-btn-wrapper > [aria-label]')) button.removeAttribute('aria-label');
    for (const code of all('pre.microlight')) code.tabIndex = 0;
  }

  const within = (element, attributes) => (Original) => (properties) =>
    h(element, attributes, h(Original, properties));

  return {
    afterLoad: () =>
      new MutationObserver(fixControls).observe(document.getElementById('swagger-ui'), {
        childList: true,
        subtree: true,
      }),
    fn: { opsFilter },
    statePlugins: { layout: { wrapSelectors: { isShown } } },
    components: { FilterContainer: Filter, ServersContainer: () => null },
    wrapComponents: {
      auths,
      authorizationPopup,
      // Landmarks for what is outside of the main one.
      InfoContainer: within('section', { 'aria-label': 'Introduction' }),
      AuthorizeBtnContainer: within('section', { 'aria-label': 'Sign-in' }),
      CloseIcon: (Original) => (properties) =>
        h('span', null, h(Original, properties), h('span', { className: 'for-screen-readers' }, 'Close')),
      // A link must not be inside a button. The address still follows what is opened.
      DeepLink: (Original) => (properties) => h(Original, { ...properties, enabled: false }),
    },
  };
};
