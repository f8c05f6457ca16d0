import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const log = JSON.stringify(new URL('log.ts', import.meta.url).href)
const begin = `import { makeLog } from ${log}; const log = makeLog('info')`
const manyLines = `for (let at = 0; at < 2_000; at++) log.info({ at, text: 'x'.repeat(100) }, 'line')`

function start(script: string) {
  const options = { stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'] }
  return spawn(process.execPath, ['--input-type=module', '-e', `${begin}; ${script}`], options)
}

/** The output of a separate process until its end. */
async function linesOf(script: string): Promise<{ at: number }[]> {
  let output = ''
  for await (const chunk of start(script).stdout) output += chunk
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const inOrder = Array.from({ length: 2_000 }, (_, at) => at)

test.each([
  ['exits', 'process.exit(0)'],
  ['has nothing more to do', ''],
  ['throws', 'throw new Error("a bug")'],
])('a process that %s has written all its lines, complete and in order', async (_, end) => {
  const lines = await linesOf(`${manyLines}; ${end}`)
  expect(lines.map(({ at }) => at)).toEqual(inOrder)
})

test('a single line is written while the process runs', async () => {
  const child = start(`log.info({ at: 7 }, 'line'); setInterval(() => {}, 1_000)`)
  const [chunk] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  expect(JSON.parse(String(chunk))).toMatchObject({ at: 7, msg: 'line' })
})

test('lines below the level are not written', async () => {
  expect(await linesOf(`log.debug({ at: 1 }, 'line'); log.warn({ at: 2 }, 'line')`)).toMatchObject([{ at: 2 }])
})
