import type { ArgumentMetadata } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { Problem } from '../errors/problem.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

class SizeQuery {
  @IsOptional()
  @IsIn(['small', 'large'])
  size?: string;
}

class OtherQuery {
  @IsOptional()
  @IsIn(['large'])
  size?: string;
}

describe('The validation of queries', () => {
  const pipe = new RequestValidationPipe({ forbidNonWhitelisted: true, forbidUnknownValues: true });
  const asQuery = (metatype: ArgumentMetadata['metatype']): ArgumentMetadata => ({ type: 'query', metatype });

  it('gives every request its own object', async () => {
    const first = (await pipe.transform({ size: 'small' }, asQuery(SizeQuery))) as SizeQuery;
    first.size = 'changed';
    const second = await pipe.transform({ size: 'small' }, asQuery(SizeQuery));
    expect(second).toBeInstanceOf(SizeQuery);
    expect(second).toEqual({ size: 'small' });
  });

  it('rejects invalid queries every time, whatever passed before', async () => {
    for (const value of [{ size: 'tiny' }, { other: 'x' }, { size: 'tiny' }])
      await expect(pipe.transform(value, asQuery(SizeQuery))).rejects.toBeInstanceOf(Problem);
    await expect(pipe.transform({ size: 'small' }, asQuery(OtherQuery))).rejects.toBeInstanceOf(Problem);
  });
});
