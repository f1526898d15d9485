/** An error whose message is meant for the user. */
export class ModelError extends Error {}
