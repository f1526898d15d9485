// Colyseus' SDK takes sockets of `ws`, which can be paused, where there are none of the platform.
Reflect.deleteProperty(globalThis, 'WebSocket');
