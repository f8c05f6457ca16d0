import { expect, test } from 'vitest'
import { issuesOf } from '../../index.ts'
import { Policy } from './index.ts'

const pathsOf = (digest: object) => {
  const read = Policy.safeParse({ type: 'digest', ...digest })
  return read.success ? [] : issuesOf(read.error).map(({ path }) => path)
}

test('a digest has either a length or set times, which are five cron fields in a known time zone', () => {
  expect(pathsOf({ every: '1h' })).toEqual([])
  expect(pathsOf({ at: '0 9 * * 1-5' })).toEqual([])
  expect(pathsOf({ at: '0 9 * * 1-5', timezone: 'Europe/Berlin' })).toEqual([])
  expect(pathsOf({ at: '0 9 * * 1-5', every: '1h' })).toEqual(['at'])
  expect(pathsOf({})).toEqual(['every'])
  expect(pathsOf({ at: 'at nine' })).toEqual(['at'])
  expect(pathsOf({ at: '0 9 * * *', timezone: 'Mars/Olympus' })).toEqual(['timezone'])
  expect(pathsOf({ every: '1h', timezone: 'Europe/Berlin' })).toEqual(['timezone'])
})
