import type { Condition, Policy } from '@tocsin/contract'
import type { GoalName } from '../../../layouts/watch/goal-texts.ts'
import { groupThousands } from './group-thousands.ts'
import type { Source } from './source.ts'

export type Kind = Source['kind']
type Fields = Record<string, unknown>

/** The answers of the form. Amounts are decimal texts in human units. */
export type Answers = {
  source: Source
  /** The address, the pallet or the price feed. */
  subject: string
  direction: 'both' | 'in' | 'out'
  token: string
  /** Empty means no minimum. */
  least: string
  side: 'above' | 'below'
  bound: string
  percent: string
  count: string
  within: string
}

/** The inputs that the second question shows for a choice, in their order. */
export type AnswerField = 'direction' | 'token' | 'tokenOptional' | 'least' | 'bound' | 'percent' | 'count' | 'within'

/** One trigger with its subscription, made from a core action. */
export type Part = {
  action: string
  /** What is watched, in a few words: the end of the trigger's title. */
  what: string
  /** Fields of the spec that replace those of the core action; undefined removes one. */
  spec?: Fields
  /** All of them must hold. */
  conditions?: Condition[]
  inputs?: Fields
  policy?: Policy
}

export type Choice = {
  value: string
  label: string
  about: string
  fields: readonly AnswerField[]
  /** Answers that differ from the usual ones when the choice is made. */
  initial?: Partial<Answers>
  /** The unit of `least` and `bound`. */
  unit?: 'coin' | 'token' | 'none'
  /** The condition in words, after “When”. */
  says(answers: Answers, subject: string): string
  parts(answers: Answers): Part[]
}

export type Subject = {
  label: string
  description?: string
  example: string
  /** A name instead of an address. */
  isName?: true
  isOptional?: true
}

/** What the first question asks for on a kind of network, and what the second offers. */
type GoalOnChain = { subject: Subject; choices: readonly Choice[] }

/** The goals of one kind of network. */
export type ChainGoals = {
  kind: Kind
  goals: Partial<Record<GoalName, GoalOnChain>>
  /** The goals of an address of which nothing else is known. */
  atAddress: readonly GoalName[]
  /** Titles of buttons at an address that differ from the usual ones. */
  titles?: Partial<Record<GoalName, string>>
  /** How an answer asks for a token. */
  token?: Pick<Subject, 'label' | 'example'>
}

export type Goal = {
  name: GoalName
  title: string
  about: string
  /** Why the goal is not offered on all kinds of networks, and what to use there. */
  note?: string
  kinds: Partial<Record<Kind, GoalOnChain>>
}

export const usualAnswers: Omit<Answers, 'source'> = {
  ...{ subject: '', direction: 'both', token: '', least: '' },
  ...{ side: 'below', bound: '', percent: '5', count: '5', within: '1h' },
}

/** “, at least 1,000 ETH,” or nothing. */
export function leastText({ least }: Answers, unit: string): string {
  return least === '' ? '' : `, at least ${groupThousands(least)} ${unit},`
}

export const directionTexts = { both: 'sends or receives', in: 'receives', out: 'sends' } as const
