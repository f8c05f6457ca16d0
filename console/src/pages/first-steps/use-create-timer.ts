import { useMutation } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { refresh } from '../../data/changes.ts'
import { draftUnderFreeName, type NewTrigger, namedTrigger } from '../../layouts/new-trigger.ts'

/** Creates the timer as `timer`, or as `timer-2`, `timer-3` … if the name is taken. */
export function useCreateTimer() {
  return useMutation({
    mutationFn: createTimer,
    onSuccess: () => refresh(['triggers', 'projects']),
  })
}

async function createTimer(timer: NewTrigger): Promise<void> {
  const name = await draftUnderFreeName(api, 'timer', timer)
  await api.saveTrigger({ ...namedTrigger(name, timer), ifNoneMatch: '*' })
}
