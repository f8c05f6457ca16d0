import { Group, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { isSameOrigin, Picture } from '../../components/picture.tsx'
import { Label } from '../../components/status.tsx'
import { accessLabel, type Project } from '../../layouts/project/access.ts'
import classes from './project-card.module.css'

/** A project in a list: cover, title, description, number of triggers. */
export function ProjectCard({ project, link }: { project: Project; link: Pick<LinkProps, 'to' | 'params'> }) {
  const { meta, counts, workspace, ownerTitle } = project
  return (
    <article className={classes.card}>
      <div className={classes.cover}>
        {isSameOrigin(meta.cover) && <img src={meta.cover} alt="" loading="lazy" />}
        <span className={classes.icon}>
          <Picture url={meta.icon} name={meta.title} size={44} />
        </span>
      </div>
      <div className={classes.body}>
        <Title order={2} size="h4">
          <Link {...link} className={classes.link}>
            {meta.title}
          </Link>
        </Title>
        <Text size="sm" c="dimmed">
          {ownerTitle ?? workspace}
        </Text>
        <Text size="sm" lineClamp={2} mt={8}>
          {meta.shortDescription || meta.description || 'No description yet.'}
        </Text>
        <Group gap="xs" mt="auto" pt="sm">
          <Label>{accessLabel(project)}</Label>
          <Text size="sm" c="dimmed">
            {counts.triggers} {counts.triggers === 1 ? 'trigger' : 'triggers'}
          </Text>
        </Group>
      </div>
    </article>
  )
}
