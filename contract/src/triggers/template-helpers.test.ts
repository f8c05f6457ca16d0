import { expect, test } from 'vitest'
import { TemplateHelpersReply, templateHelpers } from './template-helpers.ts'

test('the helpers are the documented ones, in their order, and fit the reply', () => {
  const names =
    'if unless each with lookup round format substr address make includes lowercase uppercase titlecase oneline yaml explorer token number usd eq gt lt and or not percent duration block name event values decided'
  expect(templateHelpers.map((helper) => helper.name).join(' ')).toBe(names)
  expect(templateHelpers.filter((helper) => helper.block).map((helper) => helper.name)).toEqual([
    'if',
    'unless',
    'each',
    'with',
  ])
  const reply = { templating: { helpers: templateHelpers } }
  expect(TemplateHelpersReply.parse(reply)).toEqual(reply)
})
