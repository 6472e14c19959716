import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rc2Decrypt } from './rc2.ts';

test('RC2 is RC2 (RFC 2268, section 5, keys as strong as they are long)', () => {
  const cases: [key: string, plain: string, cipher: string][] = [
    ['ffffffffffffffff', 'ffffffffffffffff', '278b27e42e2f0d49'],
    ['3000000000000000', '1000000000000001', '30649edf9be7d2c2'],
    ['88bca90e90875a7f0f79c384627bafb2', '0000000000000000', '2269552ab0f85ca6'],
  ];
  for (const [key, plain, cipher] of cases) {
    const opened = rc2Decrypt(Buffer.from(key, 'hex'), Buffer.alloc(8), Buffer.from(cipher, 'hex'));
    assert.equal(opened.toString('hex'), plain, key);
  }
});
