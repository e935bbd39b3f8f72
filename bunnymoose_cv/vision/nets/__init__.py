"""Wrappers of the network runtimes: MediaPipe, ONNX and the worker pool."""
