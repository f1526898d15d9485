import { type SchemaType, schema, t } from '@colyseus/schema';

/** What of an entity changes seldom. Who has it in view gets it; positions go another way. */
export const Card = schema({ id: t.uint32(), name: t.string(), kind: t.uint8(), level: t.uint8() }, 'Card');
export type Card = SchemaType<typeof Card>;

/** The state of a world as Colyseus keeps it in step: a client gets of `cards` those that its view holds. */
export const WorldState = schema({ size: t.float32(), radius: t.float32(), cards: t.map(Card).view() }, 'WorldState');
export type WorldState = SchemaType<typeof WorldState>;
