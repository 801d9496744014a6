import { ApiProblem } from '../../api/problem';
import { isUncertain } from './edit-many';

jest.mock('../../api/client', () => ({ body: jest.fn() }));

describe('An edit whose request failed', () => {
  it.each([400, 404, 409, 429])('changed nothing if it was refused with %d', (status) => {
    expect(isUncertain(new ApiProblem({ status }))).toBe(false);
  });

  it.each([
    ['the response was lost', ApiProblem.unreachable()],
    ['a proxy gave up', new ApiProblem({ status: 504 })],
    ['the response cannot be read', new SyntaxError()],
  ])('may have changed assets if %s', (_, error) => {
    expect(isUncertain(error)).toBe(true);
  });
});
