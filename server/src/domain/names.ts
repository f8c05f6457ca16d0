import { fullnameLengthMax, isSegment, isTriggerName, reservedWorkspaces } from '@tocsin/contract'
import { Refusal } from './refusal.ts'

/** These checks look at names only. Whether the owner exists is checked later. */

export function requireSameName(inPath: string, inPayload: string): void {
  if (inPath !== inPayload)
    throw new Refusal('fullname_mismatch', `The path says "${inPath}", the payload says "${inPayload}".`)
}

export function requireWorkspaceName(fullname: string): void {
  if (!isSegment(fullname))
    throw new Refusal('fullname_invalid', 'A workspace fullname has 1 to 64 characters: a-z, 0-9 and inner hyphens.')
  if (reservedWorkspaces.includes(fullname)) throw new Refusal('reserved_name', `The name "${fullname}" is reserved.`)
}

type Named = { name: string; fullname: string; workspace: string }

/** Projects and resources: `<workspace>.<name>`. */
export function requireOwnedName({ name, fullname, workspace }: Named): void {
  if (!isSegment(name))
    throw new Refusal('fullname_invalid', 'A name has 1 to 64 characters: a-z, 0-9 and inner hyphens.')
  requireFullname(fullname, `${workspace}.${name}`)
}

/** Custom sources: `<workspace>.<name>` or `<workspace>.source.<name>`, kept as given. */
export function requireSourceName({ name, fullname, workspace }: Named): void {
  if (fullname === `${workspace}.source.${name}` && isSegment(name)) requireFullname(fullname, fullname)
  else requireOwnedName({ name, fullname, workspace })
}

/** Triggers: `<project fullname>.<name>`, in the project's own workspace. */
export function requireTriggerName(trigger: Named & { project: string }): void {
  if (!isTriggerName(trigger.name))
    throw new Refusal(
      'fullname_invalid',
      'A trigger name has 1 to 128 characters: letters, digits, "_", "-" and inner dots.',
    )
  if (!trigger.project.startsWith(`${trigger.workspace}.`))
    throw new Refusal(
      'fullname_invalid',
      `The project "${trigger.project}" does not belong to the workspace "${trigger.workspace}".`,
    )
  requireFullname(trigger.fullname, `${trigger.project}.${trigger.name}`)
}

function requireFullname(fullname: string, expected: string): void {
  if (fullname !== expected) throw new Refusal('fullname_invalid', `The fullname must be "${expected}".`)
  if (fullname.length > fullnameLengthMax)
    throw new Refusal('fullname_invalid', `A fullname has at most ${fullnameLengthMax} characters.`)
}
