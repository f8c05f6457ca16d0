import { useState } from 'react'
import { type AlertFilters, readFilters } from './filters.ts'

/** Filters with a name, kept in this browser. */
export type SavedView = { name: string; filters: AlertFilters }

const storageName = (workspace: string) => `tocsin-views-${workspace}`

export function useSavedViews(workspace: string) {
  const [views, setViews] = useState(() => readViews(localStorage.getItem(storageName(workspace))))
  const keep = (next: SavedView[]) => {
    setViews(next)
    localStorage.setItem(storageName(workspace), JSON.stringify(next))
  }
  return {
    views,
    /** A view of the same name is replaced. */
    save: (view: SavedView) => keep([...views.filter(({ name }) => name !== view.name), view]),
    remove: (name: string) => keep(views.filter((view) => view.name !== name)),
  }
}

/** What another version stored may have another form: it is left out. */
export function readViews(stored: string | null): SavedView[] {
  try {
    const read: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(read) ? read.flatMap(readView) : []
  } catch {
    return []
  }
}

function readView(view: unknown): SavedView[] {
  if (typeof view !== 'object' || view === null || !('name' in view) || !('filters' in view)) return []
  const { name, filters } = view
  if (typeof name !== 'string' || typeof filters !== 'object' || filters === null) return []
  return [{ name, filters: readFilters({ ...filters }) }]
}
