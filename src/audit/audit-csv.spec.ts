import { rowOf } from './audit-csv.js';

describe('A row of CSV', () => {
  it.each([
    ['plain', 'plain'],
    [null, ''],
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['=A1,"x"', `"'=A1,""x"""`],
    ['a=b', 'a=b'],
  ])('writes %j as %j', (text, cell) => {
    expect(rowOf([text, 'x'])).toBe(`${cell},x\r\n`);
  });
});
