import type { Project } from '../../layouts/project/access.ts'
import { networkIcon } from '../../layouts/watch/network-icons.ts'
import classes from './project-card.module.css'

const shownMax = 12

type TagFilterProps = { projects: Project[]; chosen: string | undefined; onChange: (tag: string | undefined) => void }

/** The tags of the projects with their counts, the most used ones first. A second click on a tag takes it back. */
export function TagFilter({ projects, chosen, onChange }: TagFilterProps) {
  const tags = countTags(projects)
  if (tags.length === 0) return null
  return (
    <fieldset className={classes.tags} aria-label="Categories">
      <Tag name="All" count={projects.length} isChosen={chosen === undefined} choose={() => onChange(undefined)} />
      {tags.map(([tag, count]) => (
        <Tag
          key={tag}
          name={tag.charAt(0).toUpperCase() + tag.slice(1)}
          icon={networkIcon(tag)}
          count={count}
          isChosen={chosen === tag}
          choose={() => onChange(chosen === tag ? undefined : tag)}
        />
      ))}
    </fieldset>
  )
}

type TagProps = { name: string; icon?: string | undefined; count: number; isChosen: boolean; choose: () => void }

function Tag({ name, icon, count, isChosen, choose }: TagProps) {
  return (
    <button type="button" className={classes.tag} aria-pressed={isChosen} onClick={choose}>
      {icon !== undefined && <img src={icon} alt="" />}
      {name} <span className={classes.count}>{count}</span>
    </button>
  )
}

export function countTags(projects: readonly Pick<Project, 'tags'>[]): [tag: string, count: number][] {
  const counts = new Map<string, number>()
  for (const tag of projects.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].sort(([a, one], [b, other]) => other - one || a.localeCompare(b)).slice(0, shownMax)
}
