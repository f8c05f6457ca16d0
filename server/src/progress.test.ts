import { expect, test } from 'vitest'
import { showProgress } from './progress.ts'

function run(isTTY: boolean) {
  const written: string[] = []
  let ms = 0
  const output = { isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 }
  const progress = showProgress('Exporting', output, () => ms)
  return { written, progress, wait: (more: number) => (ms += more) }
}

test('a terminal shows one line with the share that is done and the time that is left', () => {
  const { written, progress, wait } = run(true)
  progress.show(1, 100)
  expect(written).toEqual([])
  wait(30_000)
  progress.show(25, 100)
  expect(written.join('')).toBe('Exporting [######..................] 25 %, 1:30 left')
  wait(10)
  progress.show(26, 100)
  expect(written).toHaveLength(1)
  progress.log('alerts: 7 rows')
  expect(written.at(-1)).toBe('alerts: 7 rows\n')
  expect(written.at(-2)).toBe('\r\u001b[K')
})

test('a file gets a line every ten seconds', () => {
  const { written, progress, wait } = run(false)
  wait(9_000)
  progress.show(50, 100)
  expect(written).toEqual([])
  wait(1_000)
  progress.show(200, 100)
  expect(written).toEqual(['Exporting [########################] 100 %, 0:00 left\n'])
})
