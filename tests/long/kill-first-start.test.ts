import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../server/src/store/embedded/index.ts'
import { makeDataFolders, query } from '../harness/embedded/data-folders.ts'
import { startService } from '../harness/embedded/service-process.ts'

const folders = makeDataFolders()
afterEach(() => folders.clear())
afterAll(() => folders.end())

test('a first start that is killed at any moment leaves a folder that the next start opens', {
  timeout: 300_000,
}, async () => {
  for (const afterMs of moments(6)) {
    const dataDir = folders.make()
    const service = startService(dataDir)
    service.told.catch(() => {})
    await sleep(afterMs)
    await service.end('SIGKILL')
    const server = await startEmbeddedPostgres(dataDir)
    expect(await query(server.url, 'select 1 as one'), `killed after ${afterMs} ms`).toEqual([{ one: 1 }])
    await server.stop()
  }
})

/** Chance with a seed: the same moments in every run, spread over the second that a first start takes. */
function moments(count: number): number[] {
  let state = 20261115
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return 100 + Math.floor((state / 2 ** 31) * 1300)
  })
}
