// Teaches the stand-in the messages that drive a training.
export {};
