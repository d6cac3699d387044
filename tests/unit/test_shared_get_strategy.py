"""The shared cell that finds a TPU, GPUs or CPUs, and never hangs."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from types import SimpleNamespace

import pytest

from autograder.paths import Course

from .shared_cells import run_cells


@pytest.fixture
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "get_strategy"))


@pytest.fixture
def listener():
    """A server that takes connections; ``listener(answer)`` gives its address, and what it then sends."""
    made = []

    def start(answer: bytes) -> str:
        server = socket.create_server(("127.0.0.1", 0))

        def serve():
            connection, _ = server.accept()
            with connection, contextlib.suppress(ConnectionResetError):
                connection.recv(100)
                connection.sendall(answer)
                connection.recv(100)  # until the other side goes

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        made.append((server, thread))
        return f"grpc://127.0.0.1:{server.getsockname()[1]}"

    yield start
    for server, thread in made:
        thread.join(10)
        server.close()


def test_a_server_that_speaks_http2_answers(cells, listener):
    assert cells.answers(listener(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])))


def test_another_server_does_not(cells, listener):
    assert not cells.answers(listener(b"HTTP/1.1 400 Bad Request\r\n\r\n"))


def test_a_silent_server_is_given_up_in_time(cells, monkeypatch):
    monkeypatch.setitem(cells.answers.__globals__, "SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        start = time.monotonic()
        assert not cells.answers(f"grpc://127.0.0.1:{silent.getsockname()[1]}")
        assert time.monotonic() - start < 10


@pytest.mark.parametrize("address", ["grpc://localhost:1", "grpc://localhost", "grpc://:x", "grpc://localhost:99999"])
def test_an_address_where_nobody_is(cells, address):
    assert not cells.answers(address)
    resolver, reason = cells.find_tpu(address)
    assert resolver is None and address in reason


def test_a_name_is_no_address(cells):
    resolver, reason = cells.find_tpu("my-tpu")
    assert resolver is None and "neither" in reason


def test_a_machine_without_tpu_and_gpu_gets_its_cpus(cells, capsys, monkeypatch):
    tf = cells.tf
    if tf.config.list_physical_devices("GPU"):
        pytest.skip("this machine has a GPU")
    monkeypatch.delenv("TPU_NAME", raising=False)
    strategy = cells.get_strategy()
    assert strategy.num_replicas_in_sync == len(tf.config.list_logical_devices("CPU"))
    assert "logical CPU; no TPU: TensorFlow sees no TPU core; no GPU" in capsys.readouterr().out


def test_the_address_may_come_from_the_environment(cells, capsys, monkeypatch):
    monkeypatch.setenv("TPU_NAME", "grpc://localhost:1")
    cells.get_strategy()
    assert "no TPU host answers at grpc://localhost:1" in capsys.readouterr().out


def test_no_core_no_initialisation(cells, monkeypatch):
    tf = cells.tf
    monkeypatch.setattr(tf.tpu.experimental, "initialize_tpu_system", lambda _: pytest.fail("it was initialised"))
    assert cells.find_tpu("local") == (None, "TensorFlow sees no TPU core")


def test_a_tpu_with_cores_is_initialised_and_used(cells, monkeypatch, capsys):
    tf, seen = cells.tf, []
    resolver = SimpleNamespace(num_accelerators=lambda: {"TPU": 8})
    monkeypatch.setattr(tf.distribute.cluster_resolver, "TPUClusterResolver", lambda tpu: resolver)
    monkeypatch.setattr(tf.tpu.experimental, "initialize_tpu_system", seen.append)
    monkeypatch.setattr(
        tf.config, "experimental_connect_to_cluster", lambda _: pytest.fail("a local TPU needs no connection")
    )
    monkeypatch.setattr(
        tf.distribute, "TPUStrategy", lambda found: SimpleNamespace(num_replicas_in_sync=8, found=found)
    )
    assert cells.get_strategy("local").found is resolver
    assert seen == [resolver]
    assert "replicas: 8, on: TPU cores" in capsys.readouterr().out


def test_so_many_cpus_as_are_asked_for(cells):
    assert cells.cpu_strategy(1).num_replicas_in_sync == 1


def test_the_log_keeps_quiet_about_devices(cells):
    cells.tf.get_logger().setLevel("INFO")
    cells.cpu_strategy(1)
    assert cells.tf.get_logger().level >= 30
