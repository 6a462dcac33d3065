// The names of a service's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en } from '../words/en/container-service-phases.ts';
import { phases as ja } from '../words/ja/container-service-phases.ts';
import { joined } from '../words/join.ts';
import { phases as zh } from '../words/zh/container-service-phases.ts';

export const containerServicePhases = joined('ContainerService.phases', { en, zh, ja });
