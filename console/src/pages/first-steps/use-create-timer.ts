import { useMutation } from '@tanstack/react-query'
import { ApiError } from '@tocsin/sdk'
import { api } from '../../data/api.ts'
import { refresh } from '../../data/changes.ts'

type Timer = Omit<Parameters<typeof api.saveTrigger>[0]['body'], 'name' | 'fullname'>

const namesMax = 20

/** Creates the timer as `timer`, or as `timer-2`, `timer-3` … if the name is taken. */
export function useCreateTimer() {
  return useMutation({
    mutationFn: createTimer,
    onSuccess: () => refresh(['triggers', 'projects']),
  })
}

/** Saves a draft first, because saving the trigger directly would discard a draft of the same name. */
async function createTimer(timer: Timer): Promise<void> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'timer' : `timer-${number}`
    const fullname = `${timer.project}.${name}`
    const args = { fullname, body: { ...timer, name, fullname }, ifNoneMatch: '*' }
    try {
      await api.saveTriggerDraft(args)
    } catch (error) {
      if (isTaken(error) && number < namesMax) continue
      throw error
    }
    return void (await api.saveTrigger(args))
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'precondition_failed'
}
