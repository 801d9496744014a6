import { headerText } from './header-text.rules.js';

describe('headerText', () => {
  it('is ASCII, and is truncated between characters', () => {
    expect(headerText('Café & "Co"\r\nX: y', 100)).toBe('Caf%C3%A9%20%26%20%22Co%22%20X%3A%20y');
    expect(headerText('éé', 11)).toBe('%C3%A9');
  });
});
