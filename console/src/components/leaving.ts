let ask: (() => Promise<boolean>) | undefined

/** Whoever holds unsaved work is asked before it is lost; the answer ends that. */
export function askBeforeLeaving(question: () => Promise<boolean>): () => void {
  ask = question
  return () => {
    if (ask === question) ask = undefined
  }
}

/** For ways out that are no navigation, such as signing out. */
export function mayLeave(): Promise<boolean> {
  return ask ? ask() : Promise.resolve(true)
}
