import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openPool } from './pool.ts'
import { requireWritable } from './writable.ts'

test('a database that accepts connections and answers nothing is told as such in time', async () => {
  const frozen = createServer(() => {}).listen(0, '127.0.0.1')
  await once(frozen, 'listening')
  const address = frozen.address()
  const port = typeof address === 'object' ? address?.port : 0
  const pool = openPool(`postgres://u@127.0.0.1:${port}/name`, 1, { connectionTimeoutMillis: 60_000 })
  await expect(requireWritable(pool, 50)).rejects.toMatchObject({
    code: 'ETIMEDOUT',
    message: 'The store did not answer within 50 ms.',
  })
  frozen.close()
})
