import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '../../server/src/store/core/pool.ts'
import { startEmbeddedPostgres } from '../../server/src/store/embedded/index.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a unit test that starts PostgreSQL fails', async () => {
  const start = startEmbeddedPostgres(newFolder())
  await expect(start).rejects.toThrow(/unit test must not start \w+/)
})

test('a unit test that connects to PostgreSQL fails', async () => {
  const pool = openPool('postgres://127.0.0.1:1/none', 1)
  onTestFinished(() => pool.end())
  await expect(pool.query('select 1')).rejects.toThrow('unit test must not connect to PostgreSQL')
})

test('a unit test that starts a browser fails', async () => {
  const executablePath = join(newFolder(), 'chromium')
  writeFileSync(executablePath, '', { mode: 0o755 })
  await expect(chromium.launch({ executablePath })).rejects.toThrow('unit test must not start chromium')
})
