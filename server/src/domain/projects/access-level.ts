import type { ProjectSave } from '@tocsin/contract'
import type { z } from 'zod'
import type { ProjectRow } from '../../store/projects/projects.ts'
import { Refusal } from '../refusal.ts'

type Save = Pick<z.output<typeof ProjectSave>, 'accessLevel' | 'visibility' | 'public'>
export type Access = Pick<ProjectRow, 'access_level' | 'visibility'>

/** `accessLevel`, `visibility` and `public` describe one state. The first one that the payload holds decides. */
export function readAccess(save: Save): Access {
  const access_level = save.accessLevel ?? levelOf(save)
  const isPrivate = access_level === 'private'
  if (save.visibility !== undefined && (save.visibility !== 'public') !== isPrivate)
    throw new Refusal(
      'access_level_conflict',
      `accessLevel "${access_level}" and visibility "${save.visibility}" contradict each other.`,
    )
  if (!isPrivate) return { access_level, visibility: 'public' }
  return { access_level, visibility: save.visibility === 'private_link' ? 'private_link' : 'personal' }
}

function levelOf(save: Save): Access['access_level'] {
  const isPublic = save.visibility === undefined ? save.public : save.visibility === 'public'
  return isPublic ? 'public' : 'private'
}
