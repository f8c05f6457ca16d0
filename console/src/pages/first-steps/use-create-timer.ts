import { useMutation } from '@tanstack/react-query'
import { api } from '../../data/api.ts'
import { refresh } from '../../data/changes.ts'
import { createUnderFreeName } from '../../forms/free-name.ts'

type Timer = Omit<Parameters<typeof api.saveTrigger>[0]['body'], 'name' | 'fullname'>

/** Creates the timer as `timer`, or as `timer-2`, `timer-3` … if the name is taken. */
export function useCreateTimer() {
  return useMutation({
    mutationFn: createTimer,
    onSuccess: () => refresh(['triggers', 'projects']),
  })
}

/** Saves a draft first, because saving the trigger directly would discard a draft of the same name. */
async function createTimer(timer: Timer): Promise<void> {
  const argsFor = (name: string) => {
    const fullname = `${timer.project}.${name}`
    return { fullname, body: { ...timer, name, fullname }, ifNoneMatch: '*' }
  }
  const name = await createUnderFreeName('timer', ['precondition_failed'], (name) =>
    api.saveTriggerDraft(argsFor(name)),
  )
  await api.saveTrigger(argsFor(name))
}
