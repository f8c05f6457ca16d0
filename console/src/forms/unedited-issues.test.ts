import { expect, test } from 'vitest'
import { uneditedIssues } from './unedited-issues.ts'

const rule = (param: string) => ({ trigger: 'acme.p.t', conditions: { all: [{ param, op: 'eq', value: 1 }] } })
const issues = [
  { path: 'rules.0.conditions.all.0.param', message: 'must not be empty' },
  { path: 'rules.1.conditions.all.0.param', message: 'must not be empty' },
  { path: 'meta.title', message: 'must not be empty' },
]

test('an edit of a row ends its issue, and the issues of other rows and fields stay', () => {
  const before = [rule(''), rule('')]
  expect(uneditedIssues(issues, 'rules', before, [rule('to'), rule('')])).toEqual(issues.slice(1))
  expect(uneditedIssues(issues, 'rules', before, [rule(''), rule('')])).toEqual(issues)
  expect(uneditedIssues(issues, 'rules', before, [rule('to')])).toEqual(issues.slice(2))
})

test('an edit of a field ends the issues with its name, however deep the service has found them', () => {
  expect(uneditedIssues(issues, 'title', 'a', 'b')).toEqual(issues.slice(0, 2))
})
