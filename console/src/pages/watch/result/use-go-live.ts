import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../../data/api.ts'
import { refresh } from '../../../data/changes.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { goLive, type Made, nothingMade } from '../model/go-live.ts'
import type { Watch } from '../model/plan.ts'
import { tryWatch } from '../model/try-watch.ts'

/** What was made live. */
export type Live = { triggers: string[]; subscriptions: string[]; resources: string[] }

type Wanted = { watches: () => Watch[] | Promise<Watch[]>; resources: string[] }

/** Makes watches live. A failed call keeps what it made, so that the next call continues there. */
export function useGoLive() {
  const { fullname: workspace } = useWorkspace()
  const made = useRef<Made>(undefined)
  const [progress, setProgress] = useState<Made>()
  const run = useMutation({
    mutationFn: async ({ watches, resources }: Wanted): Promise<Live> => {
      made.current ??= nothingMade()
      try {
        const wanted = await watches()
        for (const watch of wanted) await tryWatch(api, watch)
        await goLive(api, wanted, { workspace, resources }, made.current)
      } finally {
        setProgress({ ...made.current })
        await refresh(['projects', 'triggers', 'subscriptions'])
      }
      const { project, triggers, subscriptions } = made.current
      return { triggers: triggers.map((name) => `${project}.${name}`), subscriptions, resources }
    },
  })
  return { ...run, made: progress }
}
