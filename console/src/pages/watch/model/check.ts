import { addressIssue } from './addresses.ts'
import type { AnswerField, Answers, Choice, Subject } from './goal.ts'

/** The issues of the answers, by the name of the answer. */
export type Issues = Partial<Record<keyof Answers, string>>

export function checkAnswers(subject: Subject, choice: Choice, answers: Answers): Issues {
  const issues: Issues = {}
  const subjectIssue = checkSubject(subject, answers)
  if (subjectIssue !== undefined) issues.subject = subjectIssue
  for (const field of choice.fields) {
    const [name, issue] = checkField(field, answers)
    if (issue !== undefined) issues[name] = issue
  }
  return issues
}

function checkSubject({ isName, isOptional, label }: Subject, { subject, source }: Answers): string | undefined {
  if (subject === '' && isOptional) return undefined
  if (isName) return subject === '' ? `Enter the ${label.toLowerCase()}.` : undefined
  return addressIssue(subject, source)
}

function checkField(field: AnswerField, answers: Answers): [keyof Answers, string | undefined] {
  switch (field) {
    case 'token':
      return ['token', addressIssue(answers.token, answers.source)]
    case 'tokenOptional':
      return ['token', answers.token === '' ? undefined : addressIssue(answers.token, answers.source)]
    case 'bound':
      return ['bound', isPositive(answers.bound) ? undefined : 'Enter a number, such as 100.']
    case 'percent':
      return ['percent', isPositive(answers.percent) ? undefined : 'Enter a percentage above 0.']
    case 'count':
      return ['count', isCount(answers.count) ? undefined : 'Enter a whole number from 1 to 1,000.']
    case 'least':
      return ['least', answers.least === '' || isPositive(answers.least) ? undefined : 'Enter a number, or nothing.']
    case 'direction':
    case 'within':
      return [field, undefined]
  }
}

function isPositive(text: string): boolean {
  return /^(\d+\.?\d*|\.\d+)$/.test(text) && Number(text) > 0
}

function isCount(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 1000
}
