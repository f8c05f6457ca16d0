import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { filesWithFewerCases, notUnit, tiers } from './tiers.ts'

const cwd = resolve(import.meta.dirname, '../..')
const found = (patterns: string[], exclude: string[] = []) => globSync(patterns, { cwd, exclude }).toSorted()

test('every test file belongs to one tier', () => {
  const { unit, ...others } = tiers
  const sorted = [...found(unit, notUnit), ...Object.values(others).flatMap((patterns) => found(patterns))].toSorted()
  expect(sorted).toEqual(found(['**/*.test.{ts,tsx,mjs}'], ['**/node_modules/**', '.runtime/**', '**/dist/**']))
})

test('a file with fewer cases in a short tier runs with the long ones too', () => {
  expect(filesWithFewerCases(cwd)).toContain('tests/trigger-patch.test.ts')
})
