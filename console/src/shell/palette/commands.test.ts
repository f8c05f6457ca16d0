import { expect, test } from 'vitest'
import { findCommands, fixedCommands, workspaceCommands } from './commands.ts'

const commands = [
  ...fixedCommands('acme'),
  ...workspaceCommands([{ fullname: 'beta', meta: { title: 'Alerts desk' } }]),
]
const titles = (query: string) => findCommands(commands, query, 50).map(({ title }) => title)

test('every word of the query must occur, in any order', () => {
  expect(titles('source create')).toEqual(['Create source'])
  expect(titles('nothing like it')).toEqual([])
})

test('titles that start with the query come first, and groups stay together', () => {
  expect(titles('a').slice(0, 2)).toEqual(['Alerts', 'Addresses'])
  expect(titles('alerts')).toEqual(['Alerts', 'Alerts desk'])
  const groups = findCommands(commands, '', 50).map(({ group }) => group)
  expect([...new Set(groups)].flatMap((name) => groups.filter((one) => one === name))).toEqual(groups)
})

test('without a workspace only global pages are offered', () => {
  expect(fixedCommands(undefined).map(({ title }) => title)).toEqual(['Addresses', 'Marketplace', 'Help'])
})
