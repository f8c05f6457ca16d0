import { readFileSync } from 'node:fs'
import { errorTable } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { Environment } from '../server/src/config.ts'

const read = (file: string) => readFileSync(new URL(`../docs/${file}`, import.meta.url), 'utf8')

test('docs/errors.md names every code with its status, and no other', () => {
  const told = [...read('errors.md').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(
    ([, status, code]) => `${code} ${status}`,
  )
  const known = Object.entries(errorTable).map(([code, { status }]) => `${code} ${status}`)
  expect(told.toSorted()).toEqual(known.toSorted())
})

test('docs/configuration.md names every variable, and no other', () => {
  const told = [...read('configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name ?? '')
  expect(told.toSorted()).toEqual(Object.keys(Environment.shape).toSorted())
})
