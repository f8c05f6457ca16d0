import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataFolderInUse, lockDataFolder } from './data-folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin lock '))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lock = () => lockDataFolder(folder, join(folder, 'lock'))

test('a locked folder is refused, a released one is not', async () => {
  const held = await lock()
  await expect(lock()).rejects.toThrow(DataFolderInUse)
  held.release()
  await takeTurn()
})

test('a holder that is stopping is waited for', async () => {
  const held = await lock()
  setTimeout(held.release, 300)
  await takeTurn()
})

test('the lock of a dead process is ignored', async () => {
  const child = spawn('true')
  await once(child, 'exit')
  claim(1, `${child.pid}\n123\n`)
  await takeTurn()
})

test.runIf(process.platform === 'linux')(
  'the lock is ignored if another process has the pid of the dead holder',
  async () => {
    claim(1, `${process.pid}\n1\n`)
    await takeTurn()
  },
)

test('many lock cycles leave only a few files', async () => {
  for (let turn = 0; turn < 30; turn++) await takeTurn()
  expect(readdirSync(join(folder, 'lock')).length).toBeLessThan(10)
})

async function takeTurn(): Promise<void> {
  const held = await lock()
  held.release()
}

function claim(number: number, content: string): void {
  mkdirSync(join(folder, 'lock'))
  writeFileSync(join(folder, 'lock', String(number)), content)
}
