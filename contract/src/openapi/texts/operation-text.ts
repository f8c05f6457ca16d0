import type { ErrorCode } from '../../base/errors.ts'

/** What the reference says about an operation beyond its route. */
export type OperationText = {
  /** What the operation does, who may call it and what to expect. */
  description: string
  /** The errors of this operation that do not follow from its route; see `refusalsOf`. */
  refusals?: readonly ErrorCode[]
  /** The answer is one entity and has its version as ETag. */
  hasTag?: true
}

export type TextsOf<Table> = Readonly<Record<keyof Table, OperationText>>
